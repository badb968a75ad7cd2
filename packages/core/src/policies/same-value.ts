/** Whether two records are equal. The order of fields does not matter, and an `undefined` field equals an absent one. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(definedEntries(a)), new Map(definedEntries(b))];
  return left.size === right.size && [...left].every(([name, value]) => right.has(name) && sameValue(value, right.get(name)));
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
