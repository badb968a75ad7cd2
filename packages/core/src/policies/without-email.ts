const BRACKETED = /[ \t]*<[^<>\s]*@[^<>\s]*>/g;
const BARE = /[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,}/gu;

/**
 * The text without e-mail addresses: `Co-authored-by: Ada <ada@example.org>` becomes `Co-authored-by: Ada`. A bare address needs a top-level domain of
 * letters, so that `widget@1.2.3` stays.
 */
export function withoutEmail(text: string): string {
  return text.includes('@') ? text.replace(BRACKETED, '').replace(BARE, '') : text;
}
