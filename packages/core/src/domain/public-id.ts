const MAX_BYTES = 200;
const KEPT = 160;
const PUBLIC_ID = /^(?!\.{1,2}$)[!-~]{1,200}$/;

/**
 * Makes a public id from any text. The id has at most 200 bytes of ASCII; other characters are percent-encoded. A longer id is cut to its
 * first 160 bytes, followed by `~` and the first 32 hexadecimal digits of its SHA-256.
 *
 * @param sha256Hex returns the SHA-256 of a text's UTF-8 bytes in hexadecimal; the core has no implementation
 */
export function publicId(text: string, sha256Hex: (text: string) => string): string {
  const ascii = text.replace(/[^!-~]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()));
  return ascii.length <= MAX_BYTES ? ascii : `${ascii.slice(0, KEPT)}~${sha256Hex(ascii).slice(0, 32)}`;
}

/** Whether stored text can be a public id. `.` and `..` cannot: clients remove them from the path of an address, even percent-encoded, so no request could name such a record. */
export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text);
}
