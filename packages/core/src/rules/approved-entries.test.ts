import fc from 'fast-check';
import type { AllowlistEntry } from './allowlist.js';
import { type ApprovalFacts, type ApprovalPattern, type ListedRepository, approvedEntries, candidateEntries } from './approvals.js';

const name = (fullName: string) => {
  const [owner = '', repository = ''] = fullName.split('/');
  return { fullName, owner, name: repository };
};
const named = (fullName: string, forgeId: string | null = null): AllowlistEntry => ({ ...name(fullName), forgeId });
const listed = (fullName: string, forgeId: string, over: Partial<ListedRepository> = {}): ListedRepository => ({
  ...name(fullName),
  forgeId,
  isFork: false,
  isArchived: false,
  ...over,
});
const pattern = (owner: string, over: Partial<ApprovalPattern> = {}): ApprovalPattern => ({
  owner,
  listId: owner,
  except: [],
  forks: false,
  archived: false,
  ...over,
});
const facts = (over: Partial<ApprovalFacts>): ApprovalFacts => ({ named: [], patterns: [], lists: new Map(), hidden: new Set(), ...over });
const shown = (over: Partial<ApprovalFacts>) => approvedEntries(facts(over)).map(({ fullName, forgeId }) => `${fullName}#${String(forgeId)}`);

const LIST = [listed('Acme/Widget', '1'), listed('acme/fork', '2', { isFork: true }), listed('acme/old', '3', { isArchived: true })];
const lists = new Map([['acme', LIST]]);

describe('what is approved', () => {
  it('is what the list of an owner has, without forks and archived repositories unless the pattern asks for them', () => {
    expect(shown({ patterns: [pattern('ACME', { listId: 'acme' })], lists })).toEqual(['Acme/Widget#1']);
    expect(shown({ patterns: [pattern('acme', { forks: true })], lists })).toEqual(['Acme/Widget#1', 'acme/fork#2']);
    expect(shown({ patterns: [pattern('acme', { archived: true })], lists })).toEqual(['Acme/Widget#1', 'acme/old#3']);
  });

  it('is nothing of a pattern without its list, and nothing of a list without its pattern', () => {
    expect(shown({ patterns: [pattern('acme')] })).toEqual([]);
    expect(shown({ patterns: [pattern('zeta')], lists })).toEqual([]);
    expect(shown({ named: [named('acme/gadget')], lists })).toEqual(['acme/gadget#null']);
  });

  it('has the entry that names a repository, with its id, before that of a list', () => {
    expect(shown({ named: [named('acme/widget', '9')], patterns: [pattern('acme')], lists })).toEqual(['acme/widget#9']);
  });

  it('leaves out what a pattern excepts, in any letter case, whoever approves it', () => {
    const patterns = [pattern('acme', { except: [name('ACME/widget')] }), pattern('other', { listId: 'acme', owner: 'acme' })];
    expect(shown({ named: [named('acme/WIDGET')], patterns, lists })).toEqual([]);
  });

  it('leaves out what is hidden, whoever approves it', () => {
    const hidden = new Set(['acme/widget', 'acme/gadget']);
    const over = { named: [named('Acme/Gadget')], patterns: [pattern('acme')], lists };
    expect(shown({ ...over, hidden })).toEqual([]);
    expect(candidateEntries(facts({ ...over, hidden })).map(({ fullName }) => fullName)).toEqual(['Acme/Gadget', 'Acme/Widget']);
  });

  const owners = ['acme', 'ACME', 'zeta'];
  const names = fc.tuple(fc.constantFrom(...owners), fc.constantFrom('a', 'A', 'b', 'c')).map((parts) => parts.join('/'));
  const id = fc.constantFrom('1', '2', '3');
  const anyFacts: fc.Arbitrary<ApprovalFacts> = fc.record({
    named: fc.array(fc.tuple(names, fc.option(id)).map(([text, forgeId]) => named(text, forgeId))),
    patterns: fc.array(
      fc.record({
        owner: fc.constantFrom(...owners),
        listId: fc.constantFrom('x', 'y', 'z'),
        except: fc.array(names.map(name), { maxLength: 2 }),
        forks: fc.boolean(),
        archived: fc.boolean(),
      }),
    ),
    lists: fc
      .dictionary(
        fc.constantFrom('x', 'y'),
        fc.array(fc.tuple(names, id, fc.boolean(), fc.boolean()).map(([text, one, isFork, isArchived]) => listed(text, one, { isFork, isArchived }))),
      )
      .map((all) => new Map(Object.entries(all))),
    hidden: fc.array(names.map((text) => text.toLowerCase())).map((all) => new Set(all)),
  });

  it('is a repository if, and only if, it is named or a pattern finds it, and nothing excepts or hides it', () => {
    fc.assert(
      fc.property(anyFacts, names, (given, asked) => {
        const same = (text: string): boolean => text.toLowerCase() === asked.toLowerCase();
        const isFound = given.patterns.some((one) =>
          (given.lists.get(one.listId) ?? []).some(
            (repository) =>
              same(repository.fullName) &&
              repository.owner.toLowerCase() === one.owner.toLowerCase() &&
              (one.forks || !repository.isFork) &&
              (one.archived || !repository.isArchived),
          ),
        );
        const isNamed = given.named.some(({ fullName }) => same(fullName));
        const isExcepted = given.patterns.some(({ except }) => except.some(({ fullName }) => same(fullName)));
        const entries = approvedEntries(given).filter(({ fullName }) => same(fullName));
        expect(entries).toHaveLength((isNamed || isFound) && !isExcepted && !given.hidden.has(asked.toLowerCase()) ? 1 : 0);
        const own = given.named.find(({ fullName }) => same(fullName));
        if (own !== undefined && entries.length > 0) expect(entries).toEqual([own]);
      }),
    );
  });

  it('shrinks when more is hidden or excepted, and grows when a list grows', () => {
    fc.assert(
      fc.property(anyFacts, names, (given, other) => {
        const before = new Set(approvedEntries(given).map(({ fullName }) => fullName.toLowerCase()));
        const fewer = approvedEntries({ ...given, hidden: new Set([...given.hidden, other.toLowerCase()]) });
        expect(fewer.every(({ fullName }) => before.has(fullName.toLowerCase()))).toBe(true);
        const longer = new Map(given.lists).set('z', [listed(other, '7')]);
        const after = new Set(approvedEntries({ ...given, lists: longer }).map(({ fullName }) => fullName.toLowerCase()));
        expect([...before].filter((one) => !after.has(one))).toEqual([]);
      }),
    );
  });
});
