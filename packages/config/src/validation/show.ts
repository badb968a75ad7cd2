import { quotable } from '@vitrine/core';

const LONGEST = 60;

/** An invalid value in the form that a message may show: short, on one line, without credentials and e-mail addresses. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(quotable(withoutUser(value))) : String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** The whole text is one value, so the password ends before the last `@`, even if it contains others. */
function withoutUser(text: string): string {
  const start = text.indexOf('://') + '://'.length;
  const end = text.lastIndexOf('@');
  return start >= '://'.length && end >= start ? `${text.slice(0, start)}…${text.slice(end)}` : text;
}
