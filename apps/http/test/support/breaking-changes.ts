type Json = Readonly<Record<string, unknown>>;

/** Limits of schemas, and whether a greater value is stricter. */
const BOUNDS = { minimum: true, minLength: true, minItems: true, maximum: false, maxLength: false, maxItems: false } as const;

/** The changes that would break a client of the older document. Both documents are OpenAPI 3.1. */
export function breakingChanges(olderDocument: Json, newerDocument: Json): readonly string[] {
  const [older, newer] = [resolved(olderDocument), resolved(newerDocument)];
  shapes = at(newer, 'components', 'schemas');
  const found: string[] = [];
  for (const [path, item] of entries(older['paths'])) {
    const next = at(newer, 'paths', path);
    if (next === undefined) found.push(`${path} is gone`);
    else
      for (const [method, operation] of entries(item))
        found.push(...operationChanges(`${method.toUpperCase()} ${path}`, operation, at(next, method)));
  }
  for (const [name, schema] of entries(at(older, 'components', 'schemas')))
    found.push(...schemaChanges(name, schema, at(newer, 'components', 'schemas', name), 'answer'));
  return found;
}

/** The shapes of the newer document, for what was described in place and is referred to now. */
let shapes: unknown = {};

function named({ $ref: reference, ...own }: Json): Json {
  const [, name = ''] = /^#\/components\/schemas\/([^/]+)$/.exec(String(reference)) ?? [];
  const shape = at(shapes, name);
  return isObject(shape) ? { ...shape, ...own } : { ...own, ...(reference !== undefined && { $ref: reference }) };
}

/** A document with the shared responses and parameters where they are referred to. */
function resolved(document: Json): Json {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (!isObject(value)) return value;
    const [, section, name] = /^#\/components\/(responses|parameters)\/([^/]+)$/.exec(String(value['$ref'])) ?? [];
    if (section !== undefined && name !== undefined) return at(document, 'components', section, name);
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, inner(field)]));
  };
  return inner(document) as Json;
}

function operationChanges(where: string, older: unknown, newer: unknown): readonly string[] {
  if (newer === undefined) return [`${where} is gone`];
  const found: string[] = [];
  const known = parametersOf(older);
  for (const [name, parameter] of known) {
    const next = parametersOf(newer).get(name);
    if (next === undefined) found.push(`${where}: the parameter ${name} is gone`);
    else {
      if (next['required'] === true && parameter['required'] !== true) found.push(`${where}: the parameter ${name} has become required`);
      found.push(...schemaChanges(`${where} ${name}`, parameter['schema'], next['schema'], 'request'));
    }
  }
  for (const [name, { required }] of parametersOf(newer))
    if (required === true && !known.has(name)) found.push(`${where}: the parameter ${name} is new and required`);
  for (const [status, response] of entries(at(older, 'responses'))) {
    // The response `default` describes other errors.
    const next = at(newer, 'responses', status) ?? (status >= '400' ? at(newer, 'responses', 'default') : undefined);
    if (next === undefined) found.push(`${where}: ${status} is gone`);
    for (const [type, media] of entries(at(response, 'content')))
      found.push(...schemaChanges(`${where} ${status}`, at(media, 'schema'), at(next, 'content', type, 'schema'), 'answer'));
  }
  return found;
}

/** A request may only accept more, and a response may only contain more. */
function schemaChanges(where: string, older: unknown, next: unknown, side: 'request' | 'answer'): readonly string[] {
  if (!isObject(older)) return [];
  if (!isObject(next)) return [`${where} is gone`];
  const newer = older['$ref'] === undefined ? named(next) : next;
  const found: string[] = [];
  for (const key of ['type', 'format', '$ref', 'const', 'default'] as const) {
    if (JSON.stringify(older[key]) !== JSON.stringify(newer[key]))
      found.push(`${where}: ${key} was ${String(JSON.stringify(older[key]))} and is ${String(JSON.stringify(newer[key]))}`);
  }
  for (const value of listOf(older['enum']))
    if (!listOf(newer['enum']).includes(value) && !(side === 'request' && matches(newer, value))) found.push(`${where}: ${String(value)} is gone`);
  if (side === 'request') found.push(...narrowed(where, older, newer));
  for (const name of listOf(older['required']))
    if (side === 'answer' && !listOf(newer['required']).includes(name)) found.push(`${where}.${String(name)} may now be missing`);
  for (const [name, property] of entries(older['properties']))
    found.push(...schemaChanges(`${where}.${name}`, property, at(newer, 'properties', name), side));
  found.push(...schemaChanges(`${where}[]`, older['items'], newer['items'], side));
  listOf(older['anyOf']).forEach((option, index) =>
    found.push(...schemaChanges(`${where}|${String(index)}`, option, listOf(newer['anyOf'])[index], side)),
  );
  return found;
}

function narrowed(where: string, older: Json, newer: Json): readonly string[] {
  const found: string[] = [];
  for (const [key, isLower] of Object.entries(BOUNDS)) {
    const before = numberOr(older[key] ?? lengthOf(older, key), isLower ? -Infinity : Infinity);
    const after = numberOr(newer[key], isLower ? -Infinity : Infinity);
    if (isLower ? after > before : after < before) found.push(`${where}: ${key} was ${String(before)} and is ${String(after)}`);
  }
  if (newer['pattern'] !== undefined && !isWider(older, String(newer['pattern']))) found.push(`${where}: pattern has changed`);
  if (older['enum'] === undefined && newer['enum'] !== undefined) found.push(`${where}: any value was taken, and now only some are`);
  return found;
}

/** The length that a pattern of one class of characters demands. */
function lengthOf({ pattern }: Json, key: string): number | undefined {
  const [, minLength, maxLength] = /^\^\[[^\]]+\]\{(\d+),(\d+)\}\$$/.exec(String(pattern)) ?? [];
  const length = key === 'minLength' ? minLength : key === 'maxLength' ? maxLength : undefined;
  return length === undefined ? undefined : Number(length);
}

/** Whether a pattern takes every value that was taken before: a few values, the same pattern once or several times, or fewer alternatives. */
function isWider({ enum: values, pattern }: Json, newer: string): boolean {
  if (Array.isArray(values)) return values.every((value) => matches({ pattern: newer }, value));
  const older = String(pattern);
  const item = older.slice(1, -1);
  return newer === older || newer.startsWith(`^${item}(,${item}){0,`) || hasGained(older, newer);
}

function matches({ pattern, enum: values }: Json, value: unknown): boolean {
  return typeof pattern === 'string' && values === undefined && new RegExp(pattern).test(String(value));
}

/** Whether a pattern of alternatives has only gained alternatives, as for a list of types. */
function hasGained(older: string, newer: string): boolean {
  const alternatives = (pattern: unknown): readonly string[] => (/^\^\(([^()]*)\)/.exec(String(pattern))?.[1] ?? '').split('|');
  return alternatives(older).every((one) => one !== '' && alternatives(newer).includes(one));
}

function parametersOf(operation: unknown): ReadonlyMap<string, Json> {
  return new Map(
    listOf(isObject(operation) ? operation['parameters'] : [])
      .filter(isObject)
      .map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]),
  );
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entries(value: unknown): readonly [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
