/** A connection whose client has not read a whole response yet. */
export interface AnswerReader {
  /** Bytes that the operating system has not accepted for sending. The number changes when the client reads. */
  readonly unsent: number;
  readonly evict: () => void;
}

export interface UnreadLimits {
  /** Bytes of all unread responses. */
  readonly maxUnreadBytes: number;
  /** Milliseconds after which a client that reads no byte is disconnected. */
  readonly stallMs: number;
}

interface Unread {
  readonly bytes: number;
  unsent: number;
  changedAt: number;
}

/** How often clients are checked within `stallMs`. */
const LOOKS = 15;

/** Tracks responses that were written to a socket, but that the client has not fully read. Costs nothing while clients read. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  /** The oldest first. */
  readonly #answers = new Map<AnswerReader, Unread>();
  #bytes = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Adds a response. If too many bytes are unread now, it closes the connections that have waited the longest. */
  add(reader: AnswerReader, bytes: number): void {
    this.delete(reader);
    this.#answers.set(reader, { bytes, unsent: reader.unsent, changedAt: performance.now() });
    this.#bytes += bytes;
    this.#looking ??= setInterval(() => {
      this.#look();
    }, this.#limits.stallMs / LOOKS).unref();
    for (const [oldest] of this.#answers) {
      if (this.#bytes <= this.#limits.maxUnreadBytes) return;
      this.#cut(oldest);
    }
  }

  delete(reader: AnswerReader): void {
    const unread = this.#answers.get(reader);
    if (unread === undefined) return;
    this.#answers.delete(reader);
    this.#bytes -= unread.bytes;
    if (this.#answers.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #look(): void {
    const now = performance.now();
    for (const [reader, unread] of this.#answers) {
      const { unsent } = reader;
      if (unsent !== unread.unsent) [unread.unsent, unread.changedAt] = [unsent, now];
      else if (now - unread.changedAt >= this.#limits.stallMs) this.#cut(reader);
    }
  }

  #cut(reader: AnswerReader): void {
    this.delete(reader);
    reader.evict();
  }
}
