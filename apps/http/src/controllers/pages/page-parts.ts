import {
  combinedStatus,
  earliestOf,
  NotFoundError,
  SOURCE_DEADLINE_MS,
  UnavailableError,
  unreadable,
  type Answer,
  type Deadlines,
  type Instant,
  type Warning,
} from '@vitrine/core';
import type { Currency } from '@vitrine/pages';

/** Reads the parts of a page side by side, each in its own time. A part that fails is missing, and the page says so. */
export class PageParts {
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;
  readonly #answers: Answer<unknown>[] = [];
  readonly #failed: string[] = [];

  constructor(deadlines: Deadlines, signal: AbortSignal) {
    this.#deadlines = deadlines;
    this.#signal = signal;
  }

  /** The data of the part without which there is no page. Rejects as the call does. */
  async need<Data>(call: (signal: AbortSignal) => Promise<Answer<Data>>): Promise<Data> {
    const answer = await call(this.#signal);
    this.#answers.push(answer);
    return answer.data;
  }

  /**
   * The data of a part; `null` when it cannot be read in time.
   *
   * @param name the kind of its records, for the notice
   */
  async read<Data>(name: string, call: (signal: AbortSignal) => Promise<Answer<Data>>): Promise<Data | null> {
    try {
      const answer = await this.#deadlines.run(SOURCE_DEADLINE_MS, this.#signal, call);
      this.#answers.push(answer);
      return answer.data;
    } catch (error) {
      if (error instanceof NotFoundError) throw error;
      this.#failed.push(name);
      return null;
    }
  }

  /** Throws an `UnavailableError` when no part could be read. To be called when all have been. */
  requireSome(): void {
    if (this.#answers.length === 0) throw new UnavailableError();
  }

  get currency(): Currency {
    const missing = [...this.#failed].sort().map(unreadable);
    const filled = this.#answers.filter((answer) => !isWithoutSource(answer));
    const statuses = (filled.length === 0 ? this.#answers : filled).map(({ dataStatus }) => dataStatus);
    return { dataStatus: combinedStatus(missing.length > 0 ? [...statuses, 'partial'] : statuses), warnings: [...missing, ...this.#warnings()] };
  }

  /** When the first of the parts changes by time alone. */
  get changesAt(): Instant | null {
    return earliestOf(this.#answers.map(({ changesAt }) => changesAt));
  }

  /** Parts of the same kind have the same warning. */
  #warnings(): readonly Warning[] {
    const all = this.#answers.flatMap(({ warnings }) => warnings);
    return [...new Map(all.map((warning) => [`${warning.code} ${warning.source}`, warning])).values()];
  }
}

/** Whether a list is empty because the team has no source for such records. That says nothing about the rest of a page. */
function isWithoutSource({ dataStatus, data }: Answer<unknown>): boolean {
  const items: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'items') : null;
  return dataStatus === 'unknown' && Array.isArray(items) && items.length === 0;
}
