import { isUtf8 } from 'node:buffer';

const DECLARATION_BYTES = 1_024;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const XML_ENCODING = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/;

/** By the byte order mark, the `Content-Type` or the XML declaration, or else in UTF-8, or windows-1252 if most other characters are not UTF-8. `null` if the encoding is unknown. */
export function decodeText(bytes: Uint8Array, contentType: string): string | null {
  const label = markOf(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declaredIn(bytes) ?? (isMostlyUtf8(bytes) ? 'utf-8' : 'windows-1252');
  try {
    const decoder = new TextDecoder(label);
    // In two steps, because some versions of Node decode windows-1252 as ISO-8859-1 when they get everything at once.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return null;
  }
}

const REPLACED = 0xfffd;
const LAST_ASCII = 0x7f;

/** A text of UTF-8 that has a few broken characters stays UTF-8. Other encodings hardly ever look like it. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  let balance = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    const code = character.codePointAt(0) ?? 0;
    if (code > LAST_ASCII) balance += code === REPLACED ? -1 : 1;
  }
  return balance >= 0;
}

export function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

function declaredIn(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = XML_ENCODING.exec(head)?.[1] ?? null;
  // A declaration that can be read byte by byte is not UTF-16, even if it says so.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
