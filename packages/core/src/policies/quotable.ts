import { withoutCredentials } from './without-credentials.js';
import { withoutEmail } from './without-email.js';

/** The maximum length of a quoted text from outside, in characters. */
export const MAX_QUOTED = 80;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** An address that the cut may have ended within its user name or password. */
const CUT_ADDRESS = /:\/\/[^\s/?#]*$/;

/**
 * Prepares a text from outside for a log or a message: one line, at most `most` characters (80 by default), no email addresses, no credentials in addresses. Never quote
 * private values, such as the texts, ids and URLs of records.
 */
export function quotable(text: string, most = MAX_QUOTED): string {
  // The text is cut twice. The first cut limits the work, because a text can have megabytes. It keeps enough that no e-mail address near the end is cut in two.
  const isCut = text.length > 10 * most;
  const start = isCut ? text.slice(0, 10 * most).replace(CUT_ADDRESS, '://…') : text;
  const clean = withoutEmail(withoutCredentials(start)).replace(UNPRINTABLE, ' ');
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
}
