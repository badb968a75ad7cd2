import { comparePositions, keyFor, positionOf, type Commit, type ScopeRef, type TimePosition } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { placeOf, rankOf } from '../records/record-place.js';
import { SlotTable } from '../slots/slot-table.js';
import { authorFilter, filterKeysOf, present, type FilterKey } from './filter-keys.js';
import { ListIndex } from './list-index.js';

const SCOPES = ['acme/a', 'acme/b', 'acme/hidden'] as const;

const commit = fc
  .record({
    scope: fc.constantFrom(...SCOPES),
    seconds: fc.nat({ max: 6 }),
    branch: fc.constantFrom('main', 'next', null),
    // One person's login may be another person's name.
    login: fc.constantFrom('ada', 'Bob', ''),
    name: fc.constantFrom('ada', 'Bob', '__proto__'),
    changeType: fc.constantFrom('fix', null),
  })
  .map(({ scope, seconds, login, name, ...rest }): Commit =>
    aCommit({ ...rest, repositoryRef: scope, authorLogin: login, authorName: name, committedAt: NOW - seconds * 1_000 }),
  );

const commits = fc
  .array(commit, { maxLength: 60 })
  .map((list) => list.map((one, index): Commit => ({ ...one, sha: index.toString(16).padStart(40, '0') })));

const filters = fc.record({
  branch: fc.constantFrom('main', 'next', 'none', null),
  author: fc.constantFrom('ADA', 'ada', 'Bob', '__proto__', null),
  changeType: fc.constantFrom('fix', null),
});

function indexOf(list: readonly Commit[]): ListIndex {
  const table = new SlotTable();
  const index = new ListIndex(table, rankOf('commit'));
  for (const one of list) index.add(table.insert(one, placeOf(one)), one.repositoryRef, one);
  return index;
}

describe('ListIndex', () => {
  it('returns exactly the pages of a plain list, with any filters together', () => {
    fc.assert(
      fc.property(
        commits,
        filters,
        fc.integer({ min: 1, max: 7 }),
        fc.nat({ max: 6 }),
        fc.option(fc.nat({ max: 6 }), { nil: null }),
        (list, asked, limit, latest, earliest) => {
          const keys: (readonly FilterKey[])[] = [
            present('branch', asked.branch),
            asked.author === null ? [] : authorFilter(asked.author),
            present('changeType', asked.changeType),
          ];
          const scopes: readonly ScopeRef[] = ['acme/a', 'acme/b', 'acme/never-stored'];
          const [from, to] = [earliest === null ? null : NOW - earliest * 1_000, NOW - latest * 1_000];
          const index = indexOf(list);
          const seen: unknown[] = [];
          let after: TimePosition | null = null;
          do {
            const page = index.page({ scopes, query: { limit, after, from, to }, filters: keys });
            expect(page.next === null || page.items.length === limit).toBe(true);
            seen.push(...page.items);
            after = page.next;
          } while (after !== null);
          const expected = list.filter(
            (one) => scopes.includes(one.repositoryRef) && one.committedAt <= to && one.committedAt >= (from ?? 0) && fulfils(one, asked),
          );
          expect(seen).toEqual(expected.sort((a, b) => comparePositions(positionOf(a), positionOf(b))));
        },
      ),
    );
  });

  it('continues from a position without a record', () => {
    const list = [1, 2, 3].map((second) => aCommit({ sha: String(second).repeat(40), committedAt: NOW - second * 1_000 }));
    const after = { time: NOW - 1_500, id: keyFor('zzz', 'acme/widget') };
    const { items } = indexOf(list).page({ scopes: ['acme/widget'], query: { limit: 10, after, from: null, to: NOW }, filters: [] });
    expect(items).toEqual(list.slice(1));
  });

  it('moves a record only between filters if it changes', () => {
    const table = new SlotTable();
    const index = new ListIndex(table, rankOf('commit'));
    const [before, after] = [aCommit({ branch: 'main' }), aCommit({ branch: 'next' })];
    const slot = table.insert(before, placeOf(before));
    index.add(slot, 'acme/widget', before);
    table.replace(slot, after);
    index.change(slot, 'acme/widget', before, after);
    const on = (branch: string): number =>
      index.page({ scopes: ['acme/widget'], query: { limit: 5, after: null, from: null, to: NOW }, filters: [present('branch', branch)] }).items
        .length;
    expect([on('main'), on('next')]).toEqual([0, 1]);
    expect(filterKeysOf(after)).toContain('branch=next');
  });
});

function fulfils(one: Commit, asked: { branch: string | null; author: string | null; changeType: string | null }): boolean {
  const isAuthor =
    asked.author === null ||
    one.authorName === asked.author ||
    (one.authorLogin !== '' && one.authorLogin.toLowerCase() === asked.author.toLowerCase());
  return isAuthor && (asked.branch === null || one.branch === asked.branch) && (asked.changeType === null || one.changeType === asked.changeType);
}
