/** A connection whose client has not taken all of an answer yet. */
export interface AnswerReader {
  /** Bytes that the system has not accepted for sending; they change when the client takes some. */
  readonly unsent: number;
  readonly destroy: () => void;
}

export interface UnreadLimits {
  /** Bytes of unread answers in all. */
  readonly maxUnreadBytes: number;
  /** Milliseconds after which a client that takes no byte is cut off. */
  readonly stallMs: number;
}

interface Unread {
  readonly bytes: number;
  unsent: number;
  changedAt: number;
}

/** How often clients are looked at, in a time in which one may take nothing. */
const LOOKS = 15;

/** Answers that were handed to a socket and that the client has not taken. Costs nothing while clients read. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  /** The oldest first. */
  readonly #answers = new Map<AnswerReader, Unread>();
  #bytes = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Closes the connections whose answers wait the longest if there are too many bytes now. */
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
    reader.destroy();
  }
}
