import { withoutEmail } from './without-email.js';

/** The longest part of a text from outside that a message quotes, in characters. */
export const MAX_QUOTED = 80;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * A text from outside as a log or a message may quote it: on one line, at most 80 characters unless told, without e-mail addresses. Do not quote what may be
 * private at all, such as the texts, ids and addresses of records.
 */
export function quotable(text: string, most = MAX_QUOTED): string {
  // Cut twice: before, because a text can be megabytes long, and far enough behind the end that no address is cut in two.
  const clean = withoutEmail(text.slice(0, 10 * most)).replace(UNPRINTABLE, ' ');
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
}
