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
      this.#keep(piece.subarray(start, end));
      tokens.push(this.#take());
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
    return tokens;
  }

  /** The token after the last end; none if nothing follows it. */
  rest(): readonly Buffer[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #take(): Buffer {
    const [first, ...others] = this.#parts;
    const token = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#parts);
    [this.#parts, this.#length] = [[], 0];
    return token;
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#length >= this.#most) return;
    this.#parts.push(part.subarray(0, this.#most - this.#length));
    this.#length += part.length;
  }
}
