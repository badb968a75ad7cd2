import fc from 'fast-check';

/** What no program expects in a field. As JSON text, because some of it cannot be written as a literal. */
const HOSTILE = [
  ...['null', 'true', '0', '-1', '0.5', '1e300', '1e999', '9007199254740993', '-0', '4503599627370497'],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00x\\ud83d"',
    '"\\u202e\\u200b"',
    '"__proto__"',
    '"constructor"',
    '"../../x"',
    '"//evil.example/"',
  ],
  ...['"javascript:alert(1)"', '"https://user:secret@evil.example/"', '"ada@example.org"', '"Ada <ada@example.org>"', '"<script>alert(1)</script>"'],
  ...[
    '"0000-00-00"',
    '"9999-12-31T23:59:59Z"',
    '"1970-01-01T00:00:00Z"',
    '"2026-11-19T00:00:00+99:99"',
    '"+275760-09-13T00:00:00.001Z"',
    '"2026-02-30T00:00:00Z"',
  ],
  ...['"a\\nb\\tc"', '"%"', '"%C0"', '"refs/heads/x"', '"x y"', '"v1.0.0\\u2028"', '"é̀"', '"-"', '"."', '".."'],
  ...['[]', '[[]]', '[null]', '{}', '{"__proto__":{"isPublic":true,"name":"x"}}', '{"toString":1,"length":9e9}', '{"then":1}'],
  JSON.stringify('a'.repeat(70_000)),
  JSON.stringify('é'.repeat(2_000)),
  `${'['.repeat(500)}${']'.repeat(500)}`,
] as const;

type Path = readonly (string | number)[];

/** The place of each value in a document. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))];
}

function changed(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Reflect.set(copy, name, changed(Reflect.get(copy, name), rest, change));
  return copy;
}

/** A document of which some values are replaced by hostile ones, removed or repeated. */
export function hostileVariants(document: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(document);
  const change = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...HOSTILE).map((json) => () => JSON.parse(json) as unknown) },
    { weight: 1, arbitrary: fc.constant(() => undefined) },
    { weight: 1, arbitrary: fc.constant((old: unknown) => (Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : [old, old])) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => () => value) },
  );
  return fc.array(fc.tuple(fc.constantFrom(...paths), change), { minLength: 1, maxLength: 4 }).map((changes) => {
    let variant = document;
    for (const [path, replace] of changes) if (exists(variant, path)) variant = changed(variant, path, replace);
    return variant === undefined ? null : (JSON.parse(JSON.stringify(variant)) as unknown);
  });
}

/** An earlier change may have removed the place. */
function exists(value: unknown, path: Path): boolean {
  return path.length === 0 || (typeof value === 'object' && value !== null && exists(Reflect.get(value, path[0] ?? ''), path.slice(1)));
}
