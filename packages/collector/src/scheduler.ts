import type { Clock, CollectionReader, RecordWriter } from '@vitrine/core';
import type { RunReport, Source } from './source.js';

export interface SchedulerOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  readonly onReport?: (source: Source, report: RunReport) => void;
  /** A run failed; the source's next run comes at its usual time. */
  readonly onError?: (source: Source, error: unknown) => void;
  readonly onProgress?: (source: Source, done: number, what: string) => void;
}

/** How a source's run ended: a report, or `null` when it failed. */
export interface RunOutcome {
  readonly source: Source;
  readonly report: RunReport | null;
}

/** Runs sources once or on their intervals. No source ever runs twice at once, and no failure of one touches another. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Source, Promise<RunOutcome>>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Runs each source once, one after the other. Sources that are left when the scheduler stops are not run. */
  async runOnce(sources: readonly Source[]): Promise<readonly RunOutcome[]> {
    const outcomes: RunOutcome[] = [];
    for (const source of sources) if (!this.#stopping.signal.aborted) outcomes.push(await this.#run(source));
    return outcomes;
  }

  /** Runs each source now and then on its interval, counted from start to start; a run that takes longer is followed by the next at once. */
  start(sources: readonly Source[]): void {
    for (const source of sources) void this.#runAndRepeat(source);
  }

  /** Ends all runs early and resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running.values());
  }

  async #runAndRepeat(source: Source): Promise<void> {
    const startedAt = performance.now();
    await this.#run(source);
    if (this.#stopping.signal.aborted) return;
    const left = Math.max(0, source.intervalMs - (performance.now() - startedAt));
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#runAndRepeat(source);
    }, left);
    this.#timers.add(timer);
  }

  #run(source: Source): Promise<RunOutcome> {
    const running = this.#running.get(source);
    if (running !== undefined) return running;
    const run = this.#attempt(source).finally(() => this.#running.delete(source));
    this.#running.set(source, run);
    return run;
  }

  async #attempt(source: Source): Promise<RunOutcome> {
    const { writer, collection, clock, onReport, onError, onProgress } = this.#options;
    const { signal } = this.#stopping;
    try {
      const report = await source.run({
        writer,
        collection,
        clock,
        signal,
        progress: (done, what) => onProgress?.(source, done, what),
      });
      onReport?.(source, report);
      return { source, report };
    } catch (error) {
      // A run that was told to stop did not fail.
      if (!signal.aborted) onError?.(source, error);
      return { source, report: null };
    }
  }
}
