const LONGEST = 60;

/** A refused value as a message may show it: short, on one line, and without the credentials of an address. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // Cut before it is escaped: a value can be megabytes long.
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 4 * LONGEST)) : String(value);
  const safe = text.replace(/:\/\/[^/\s"]*@/g, '://…@');
  return safe.length <= LONGEST ? safe : `${safe.slice(0, LONGEST - 1)}…`;
}
