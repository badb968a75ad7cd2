/** A longer token is cut. No stored field of git is nearly as long. */
export const MAX_TOKEN_BYTES = 1_048_576;

/** Splits a stream of bytes at NULs, or at another byte. It holds at most one unfinished token in memory, and of a token no more than the given number of bytes. */
export class TokenSplitter {
  readonly #end: number;
  readonly #most: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(end = 0, most = MAX_TOKEN_BYTES) {
    [this.#end, this.#most] = [end, most];
  }

  push(piece: Buffer): readonly Buffer[] {
    const tokens: Buffer[] = [];
    let start = 0;
    for (let end = piece.indexOf(this.#end); end >= 0; end = piece.indexOf(this.#end, start)) {
      const part = piece.subarray(start, end);
      // Most tokens are whole in one piece. To keep and take each of them would cost more than to find it.
      tokens.push(this.#length === 0 && part.length <= this.#most ? part : this.#join(part));
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
    return tokens;
  }

  /** The token after the last end; none if nothing follows it. */
  rest(): readonly Buffer[] {
    return this.#length === 0 ? [] : [this.#join(Buffer.alloc(0))];
  }

  #join(last: Buffer): Buffer {
    this.#keep(last);
    const token = Buffer.concat(this.#parts);
    [this.#parts, this.#length] = [[], 0];
    return token;
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#length >= this.#most) return;
    this.#parts.push(part.subarray(0, this.#most - this.#length));
    this.#length += part.length;
  }
}
