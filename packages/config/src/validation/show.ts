import { quotable } from '@vitrine/core';

const LONGEST = 60;

/** A refused value as a message may show it: short, on one line, and without the credentials of an address or an e-mail address. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(quotable(withoutCredentials(value))) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** Whatever a password holds, it ends before the last `@`. */
function withoutCredentials(text: string): string {
  const start = text.indexOf('://') + '://'.length;
  const end = text.lastIndexOf('@');
  return start >= '://'.length && end >= start ? `${text.slice(0, start)}…${text.slice(end)}` : text;
}
