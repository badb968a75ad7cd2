/** Characters that XML 1.0 does not allow, not even escaped. A lone surrogate is one of them. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The text without characters that XML does not allow. */
export function plainText(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/** The text on one line; `otherwise` if nothing of it is left, because writers of feeds leave out empty elements. */
export function plainLine(text: string, otherwise: string): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  return line === '' ? otherwise : line;
}
