import { LIST_SPECS } from '../testing/list-specs.js';
import { isListedKind } from './identity.js';
import { FACTS, fieldsWhere, KINDS, LISTED_KINDS, isOfKind } from './kinds.js';
import { SYNCED_KINDS } from './sync.js';

describe.each(LISTED_KINDS)('the facts of the kind %s', (kind) => {
  const facts = KINDS[kind];
  const spec = LIST_SPECS.find((one) => one.kind === kind);

  it('send only what is a field of the record or supplied by a view', () => {
    const computed = ['repository', 'href', 'latestActivityAt', 'latestRelease'];
    expect(facts.sent.filter((name) => !computed.includes(name) && !Object.hasOwn(facts.fields, name))).toEqual([]);
    expect(new Set<string>(facts.sent).size).toBe(facts.sent.length);
  });

  it('describe exactly the fields of the example', () => {
    const { kind: _kind, ...example } = spec?.example() ?? { kind };
    expect(Object.keys(example).filter((name) => !Object.hasOwn(facts.fields, name))).toEqual([]);
  });

  it('agree with what the contract suites expect of the kind', () => {
    const scopes = { always: 'repository', sometimes: 'any', never: 'none' }[facts.ownership];
    expect({
      scopes: spec?.scopes,
      filters: Object.keys(spec?.filters ?? {}).sort(),
      times: [...(spec?.importTimes ?? [])].sort(),
    }).toEqual({
      scopes,
      filters: Object.keys(facts.filters).sort(),
      times: fieldsWhere(FACTS[kind], ({ fixed, leftOut }) => fixed === true || leftOut === 'now')
        .slice()
        .sort(),
    });
  });

  it('belong to a kind whose freshness is judged', () => {
    // Images are as fresh as their articles.
    expect(SYNCED_KINDS).toContain(kind === 'image' ? 'article' : kind);
  });
});

describe('the table of kinds', () => {
  it('has a plural for each kind, all different', () => {
    expect(new Set(LISTED_KINDS.map((kind) => KINDS[kind].plural)).size).toBe(LISTED_KINDS.length);
  });

  it('has only own names, so that no inherited one counts as a kind', () => {
    expect(['toString', '__proto__', 'service', ''].filter(isListedKind)).toEqual([]);
  });

  it('recognises the record of a kind', () => {
    for (const { kind, example } of LIST_SPECS) expect(LISTED_KINDS.filter((one) => isOfKind(one, example()))).toEqual([kind]);
  });
});
