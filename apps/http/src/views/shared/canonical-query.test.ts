import fc from 'fast-check';
import { SEARCH_TYPES } from '@vitrine/core';
import { routeTable } from '../table.js';
import { questionsOf, queryParser } from './parse-query.js';
import { type ParameterDefinition, parametersOf, type Query } from './parameters.js';
import { PageQuery } from './lists.js';

type QueryClass = new () => Query;
/** Decoded values by parameter. */
type Values = Readonly<Record<string, string>>;

const QUERY_CLASSES: readonly QueryClass[] = [...new Set(routeTable.flatMap((route) => (route.kind === 'api' ? [route.query] : [])))];

/** Few values of each parameter, many of which select the same. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: ['20', '2', '100'],
  cursor: ['A'.repeat(20), 'b'.repeat(20)],
  repository: ['acme/widget', 'Acme/Widget', 'acme/WIDGET', 'acme/gadget'],
  from: ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00', '2026-01-01T00:00:00.000999Z', '2026-01-02', '0000-01-01'],
  to: ['2026-03-01', '2026-03-01T23:59:59.999Z', '2026-03-02T00:59:59.9999+01:00', '2026-03-01T00:00:00Z', '9999-12-31'],
  kind: ['help', 'HELP,help', 'article,help', 'help,article', 'article,help,changelog'],
  state: ['open', 'resolved', 'resolved,OPEN', 'open,Resolved', 'monitoring', 'scheduled,in_progress,verifying,investigating,identified,monitoring'],
  'ListMaintenanceQuery state': ['open', 'Completed', 'scheduled,verifying,IN_PROGRESS', 'completed,open'],
  'ListBuildsQuery state': ['failed', 'FAILED', 'running,failed', 'failed,running'],
  'ListServicesQuery state': ['outage', 'Outage,outage', 'outage,degraded', 'degraded,outage'],
  status: ['active', 'CONFIRMED', 'active,confirmed', 'confirmed,active,x', 'x,active,confirmed'],
  changeType: ['fix', 'Fix,fix', 'docs,fix', 'fix,docs', 'a,fix', 'fix,a'],
  releaseType: ['stable', 'rc,stable', 'stable,rc', 'x,y', 'y,x'],
  type: ['commit', 'commit,commit', 'release,commit', 'commit,release', SEARCH_TYPES.join(','), 'status-service'],
  q: ['widget one', ' widget   one ', 'Widget one', 'caf\u00e9', 'cafe\u0301', 'undefined', 'a&type=commit', '50%+'],
};
const WORDS = ['main', 'Main', 'undefined', 'null', 'a.b', '20'];
const TEXTS = [...WORDS, 'a b', 'a+b', 'a&limit=2', '%41', 'A', '\u00fc/\u20ac', '#', '\u{1f600}'];

function valuesOf(queryClass: QueryClass, { name, schema }: ParameterDefinition): readonly string[] {
  const choices: unknown = schema['enum'];
  if (Array.isArray(choices)) return choices.map(String);
  return VALUES[`${queryClass.name} ${name}`] ?? VALUES[name] ?? ('pattern' in schema ? WORDS : TEXTS);
}

/** A valid query, as decoded values. */
function anyValues(queryClass: QueryClass): fc.Arbitrary<Values> {
  const parameters = parametersOf(queryClass);
  const one = Object.fromEntries(parameters.map((parameter) => [parameter.name, fc.constantFrom(...valuesOf(queryClass, parameter))]));
  return fc.record(one, { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) });
}

/** Two queries that differ in the values of few parameters, or in none. */
function anyTwo(queryClass: QueryClass): fc.Arbitrary<readonly [Values, Values]> {
  const names = parametersOf(queryClass).map(({ name }) => name);
  return fc
    .tuple(anyValues(queryClass), anyValues(queryClass), fc.subarray(names, { maxLength: Math.min(2, names.length) }))
    .map(([first, other, changed]) => {
      const kept = Object.entries(first).filter(([name]) => !changed.includes(name) || (name === 'q' && other[name] === undefined));
      return [first, Object.fromEntries([...kept, ...Object.entries(other).filter(([name]) => changed.includes(name))])];
    });
}

const percentEncoded = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/../g, (byte, at: number) => `%${at % 4 === 0 ? byte : byte.toUpperCase()}`);
const plusEncoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
const encoding = fc.constantFrom(encodeURIComponent, percentEncoded, plusEncoded);

/** More than any query has. */
const MAX_PARAMETERS = 12;

/** A way to spell a query: the places and the encodings of the parameters, and separators that count for nothing. */
const spelling = fc.record({
  pairs: fc.array(fc.record({ place: fc.nat(), name: encoding, value: encoding }), { minLength: MAX_PARAMETERS, maxLength: MAX_PARAMETERS }),
  separator: fc.constantFrom('&', '&&'),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer Value> ? Value : never;

function spelt(values: Values, { pairs, separator }: Spelling): string {
  return Object.entries(values)
    .map(([name, value], index) => ({ name, value, how: pairs[index] ?? { place: 0, name: encodeURIComponent, value: encodeURIComponent } }))
    .sort((a, b) => a.how.place - b.how.place)
    .map(({ name, value, how }) => `${how.name(name)}=${how.value(value)}`)
    .join(separator);
}

function parsed(queryClass: QueryClass, text: string): Query {
  const result = queryParser(queryClass)(text);
  if ('violations' in result) throw new TypeError(`${text}: ${JSON.stringify(result.violations)}`);
  return result.query;
}

/** What a query asks for. */
function asked(query: Query): unknown {
  return query instanceof PageQuery ? { filters: query.filters(), limit: query.pageSize(), cursor: query.cursor } : query.filters();
}

/** Writes the canonical query of an address. */
function canonicalQuery<Q extends Query>(queryClass: new () => Q): (query: Q) => string {
  const questionOf = questionsOf({ path: '/x', pathParameters: [], query: queryClass, shows: [], isKeptApart: false });
  return (query) => questionOf(query, {}).address.target.slice('/x?'.length);
}

describe.each(QUERY_CLASSES.map((queryClass) => ({ name: queryClass.name, queryClass })))('the canonical text of a $name', ({ queryClass }) => {
  const canonical = canonicalQuery(queryClass);

  it('is the same exactly for queries that ask for the same, however they are spelt', () => {
    fc.assert(
      fc.property(anyTwo(queryClass), spelling, spelling, ([first, second], one, other) => {
        const [a, b] = [parsed(queryClass, spelt(first, one)), parsed(queryClass, spelt(second, other))];
        const isSame = JSON.stringify(asked(a)) === JSON.stringify(asked(b));
        expect({ a: first, b: second, isSame: canonical(a) === canonical(b) }).toEqual({ a: first, b: second, isSame });
      }),
    );
  });

  it('is a valid query that asks for the same and has the same canonical text', () => {
    fc.assert(
      fc.property(anyValues(queryClass), spelling, (values, one) => {
        const query = parsed(queryClass, spelt(values, one));
        const again = parsed(queryClass, canonical(query));
        expect([asked(again), canonical(again)]).toEqual([asked(query), canonical(query)]);
      }),
    );
  });

  it('ends with the cursor', () => {
    fc.assert(
      fc.property(anyValues(queryClass), spelling, (values, one) => {
        const { cursor, ...filters } = values;
        const first = canonical(parsed(queryClass, spelt(filters, one)));
        const page = cursor === undefined ? first : `${first}${first === '' ? '' : '&'}cursor=${cursor}`;
        expect(canonical(parsed(queryClass, spelt(values, one)))).toBe(page);
      }),
    );
  });
});

describe('the canonical text', () => {
  it('is empty for a query without parameters, and for one that gives only default values', () => {
    const texts = QUERY_CLASSES.map((queryClass) => {
      const defaults = parametersOf(queryClass).flatMap(({ name, schema }) => ('default' in schema ? [[name, String(schema['default'])]] : []));
      const query = Object.assign(new queryClass(), Object.fromEntries(defaults));
      return [canonicalQuery(queryClass)(new queryClass()), canonicalQuery(queryClass)(query)];
    });
    expect(texts).toEqual(QUERY_CLASSES.map(() => ['', '']));
  });
});
