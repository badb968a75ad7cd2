/** A longer token is cut. No stored field is nearly as long. */
export const MAX_TOKEN_BYTES = 1_048_576;

/** Splits a stream of bytes at NULs. It holds at most one unfinished token in memory. */
export class TokenSplitter {
  #parts: Buffer[] = [];
  #length = 0;

  /** The tokens that end in this piece. */
  *push(piece: Buffer): Generator<Buffer, void, undefined> {
    let start = 0;
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, start)) {
      const part = piece.subarray(start, end);
      yield this.#length === 0 ? part : this.#join(part);
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
  }

  #join(last: Buffer): Buffer {
    this.#keep(last);
    const token = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return token;
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#length >= MAX_TOKEN_BYTES) return;
    this.#parts.push(part.subarray(0, MAX_TOKEN_BYTES - this.#length));
    this.#length += part.length;
  }
}

/** A token as text. If it was cut, its last word is removed too, because it could be half of an e-mail address. */
export function textOf(token: Buffer): string {
  const text = token.toString('utf8');
  if (token.length < MAX_TOKEN_BYTES) return text;
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? text : text.slice(0, end);
}
