import { openApiDocument } from '../src/openapi/document.js';
import { breakingChanges } from './support/breaking-changes.js';

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument();
const LIST = '/api/v1/development/commits';
const HISTORY = '/api/v1/status/services/{key}/history';
const COMMIT = ['components', 'schemas', 'Commit'];
const REQUIRED = { name: 'x', in: 'query', required: true, schema: {} };
const shared = (document['components'] as Readonly<Record<string, Json>>)['parameters'] ?? {};
/** Where a parameter is described: once for all operations, or in its operation. */
const parameter = (path: string, name: string): string[] =>
  name in shared ? ['components', 'parameters', name] : ['paths', path, 'get', 'parameters', `name=${name}`];

/** The document with one value replaced, or removed if the value is `undefined`. In a path, `name=x` finds an entry of a list, `+` adds one, and `-` is the last. */
function edited(path: readonly string[], value: unknown): Json {
  const copy = JSON.parse(JSON.stringify(document)) as Json;
  const target = path.slice(0, -1).reduce<unknown>((inner, key) => memberOf(inner, key), copy);
  const last = path.at(-1) ?? '';
  if (Array.isArray(target)) {
    if (last === '+') target.push(value);
    else target.pop();
  } else if (typeof target === 'object' && target !== null) {
    if (value === undefined) Reflect.deleteProperty(target, last);
    else Reflect.set(target, last, value);
  } else throw new Error(`${path.join('.')} does not exist`);
  return copy;
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return (value as Json[]).find((entry) => `name=${String(entry['name'])}` === key);
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

describe('the comparison of two descriptions', () => {
  it.each([
    ['a path that is gone', ['paths', LIST], undefined],
    ['a parameter that is gone', ['paths', LIST, 'get', 'parameters', '-'], undefined],
    ['a parameter that has become required', [...parameter(LIST, 'branch'), 'required'], true],
    ['a new parameter that is required', ['paths', LIST, 'get', 'parameters', '+'], REQUIRED],
    ['a lower maximum', [...parameter(LIST, 'limit'), 'schema', 'maximum'], 50],
    ['a higher minimum', [...parameter(LIST, 'limit'), 'schema', 'minimum'], 2],
    ['another default', [...parameter(LIST, 'limit'), 'schema', 'default'], 10],
    ['another pattern', [...parameter(LIST, 'changeType'), 'schema', 'pattern'], '^[a-z]+$'],
    ['a value that a parameter no longer takes', [...parameter(HISTORY, 'granularity'), 'schema', 'enum', '-'], undefined],
    [
      'an alternative that a list no longer takes',
      [...parameter('/api/v1/articles', 'kind'), 'schema', 'pattern'],
      '^(article|help)(,(article|help)){0,19}$',
    ],
    ['a list that only takes one value', [...parameter(LIST, 'changeType'), 'schema', 'pattern'], '^[A-Za-z0-9_.:-]{1,64}$'],
    [
      'a pattern that has become a shorter text',
      [...parameter('/api/v1/articles', 'language'), 'schema'],
      { type: 'string', minLength: 1, maxLength: 63 },
    ],
    [
      'a pattern that does not match a value',
      [...parameter(HISTORY, 'granularity'), 'schema'],
      { type: 'string', default: 'check', pattern: '^(check|day)$' },
    ],
    ['a field that is gone', [...COMMIT, 'properties', 'branch'], undefined],
    ['a field that may be missing', [...COMMIT, 'required', '-'], undefined],
    ['a field of another type', [...COMMIT, 'properties', 'additions', 'type'], 'string'],
    ['a value that is gone', ['components', 'schemas', 'ServiceStatus', 'properties', 'currentState', 'enum', '-'], undefined],
    ['a status that is gone', ['paths', LIST, 'get', 'responses', '200'], undefined],
    [
      'an answer of another shape',
      ['paths', LIST, 'get', 'responses', '200', 'content', 'application/json', 'schema', 'properties', 'data', 'items'],
      {},
    ],
  ])('sees %s', (_what, path, value) => {
    expect(breakingChanges(document, edited(path, value))).not.toEqual([]);
  });

  it.each([
    ['nothing', ['info', 'version'], '1.0.0'],
    ['a new path', ['paths', '/api/v1/new'], {}],
    ['a new optional parameter', ['paths', LIST, 'get', 'parameters', '+'], { ...REQUIRED, required: false }],
    ['a new field', [...COMMIT, 'properties', 'extra'], { type: 'string' }],
    [
      'a pattern that has become any text of its length',
      [...parameter('/api/v1/articles', 'language'), 'schema'],
      { type: 'string', minLength: 1, maxLength: 64 },
    ],
    [
      'a pattern that matches all values',
      [...parameter(HISTORY, 'granularity'), 'schema'],
      { type: 'string', default: 'check', pattern: '^(check|day|hour)$' },
    ],
    ['a wider limit', [...parameter(LIST, 'limit'), 'schema', 'maximum'], 200],
    ['other words', [...COMMIT, 'description'], 'x'],
  ])('allows %s', (_what, path, value) => {
    expect(breakingChanges(document, edited(path, value))).toEqual([]);
  });
});
