import type { SyncedKind } from '../../domain/shared/sync.js';
import { combinedStatus, type DataStatus } from '../../policies/freshness.js';
import type { Deadlines } from '../../ports/deadlines.js';
import { unreadable, type Warning } from './answer.js';

/** The time each source of a composed answer has, in milliseconds. */
export const SOURCE_DEADLINE_MS = 1_000;
const BESIDE_DEADLINE_MS = 400;

/** Reads the sources of one answer side by side, each in its own time, and remembers which could not be read. */
export class Sources {
  readonly #deadlines: Deadlines;
  readonly #signal: AbortSignal;
  readonly #failed: SyncedKind[] = [];
  #asked = 0;

  constructor(deadlines: Deadlines, signal: AbortSignal) {
    this.#deadlines = deadlines;
    this.#signal = signal;
  }

  /** What the call gives, or `fallback` when it fails or takes too long. */
  async read<Result>(kind: SyncedKind, fallback: Result, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#read([kind], SOURCE_DEADLINE_MS, fallback, call);
  }

  /** The same for data that depends on earlier reads: with a shorter time limit, so that both fit into one request. */
  async readBeside<Result>(kinds: readonly SyncedKind[], fallback: Result, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#read(kinds, BESIDE_DEADLINE_MS, fallback, call);
  }

  /** The result of the call within the same time. Otherwise `fallback`, without a warning: the answer is complete without it. */
  async readQuietly<Result>(fallback: Result, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#deadlines.run(SOURCE_DEADLINE_MS, this.#signal, call).catch(() => fallback);
  }

  async #read<Result>(
    kinds: readonly SyncedKind[],
    milliseconds: number,
    fallback: Result,
    call: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    this.#asked += kinds.length;
    try {
      return await this.#deadlines.run(milliseconds, this.#signal, call);
    } catch {
      this.#failed.push(...kinds);
      return fallback;
    }
  }

  get partial(): boolean {
    return this.#failed.length > 0;
  }

  get warnings(): readonly Warning[] {
    return [...this.#failed].sort().map((kind) => unreadable(kind === 'check' ? 'status' : kind));
  }

  /** The status of the response, from the status of its readable parts. */
  statusWith(freshness: DataStatus): DataStatus {
    if (this.#asked > 0 && this.#failed.length === this.#asked) return 'unavailable';
    return combinedStatus(this.partial ? [freshness, 'partial'] : [freshness]);
  }
}
