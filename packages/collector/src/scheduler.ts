import { SECOND, type ApprovedRepositories, type Clock, type CollectionReader, type RecordWriter } from '@vitrine/core';
import { SearchAlignment } from './search-alignment.js';
import { SourceRegistry } from './source-registry.js';
import type { RunReport, Source } from './source.js';

export interface SchedulerOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  /** The allowlist of the moment: before a source runs, search is brought into line with it. Search stays as it is without it. */
  readonly approved?: () => ApprovedRepositories;
  /** Sources of the configuration that another process runs, by the ids of their sync records; none by default. */
  readonly isForeign?: (id: string) => boolean;
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

/** How soon search follows the allowlist when no source is due. */
const ALIGNED_EVERY_MS = 2 * SECOND;

/** Runs sources once or on their intervals. No source ever runs twice at once, and no failure of one touches another. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Source, Promise<RunOutcome>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #alignment: SearchAlignment | null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { approved, writer } = options;
    this.#alignment = approved === undefined ? null : new SearchAlignment(writer, approved, this.#stopping.signal);
  }

  /** Runs each source once, one after the other. Sources that are left when the scheduler stops are not run. */
  async runOnce(sources: readonly Source[]): Promise<readonly RunOutcome[]> {
    const registry = this.#registryOf(sources);
    const outcomes: RunOutcome[] = [];
    for (const source of sources) if (!this.#stopping.signal.aborted) outcomes.push(await this.#run(source, registry));
    return outcomes;
  }

  /** Runs each source now and then on its interval, counted from start to start; a run that takes longer is followed by the next at once. */
  start(sources: readonly Source[]): void {
    if (this.#alignment !== null) void this.#alignAndRepeat(this.#alignment);
    const registry = this.#registryOf(sources);
    for (const source of sources) void this.#runAndRepeat(source, registry);
  }

  /** Ends all runs early and resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all([...this.#running.values(), this.#alignment?.settled()]);
  }

  async #alignAndRepeat(alignment: SearchAlignment): Promise<void> {
    // The next source that runs fails too then, and says so.
    await alignment.align().catch(() => undefined);
    this.#later(ALIGNED_EVERY_MS, () => void this.#alignAndRepeat(alignment));
  }

  async #runAndRepeat(source: Source, registry: SourceRegistry): Promise<void> {
    const startedAt = performance.now();
    await this.#run(source, registry);
    this.#later(Math.max(0, source.intervalMs - (performance.now() - startedAt)), () => void this.#runAndRepeat(source, registry));
  }

  #later(milliseconds: number, run: () => void): void {
    if (this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #registryOf(sources: readonly Source[]): SourceRegistry {
    return new SourceRegistry(sources, { ...this.#options, signal: this.#stopping.signal });
  }

  #run(source: Source, registry: SourceRegistry): Promise<RunOutcome> {
    const running = this.#running.get(source);
    if (running !== undefined) return running;
    const run = this.#attempt(source, registry).finally(() => this.#running.delete(source));
    this.#running.set(source, run);
    return run;
  }

  async #attempt(source: Source, registry: SourceRegistry): Promise<RunOutcome> {
    const { writer, collection, clock, onReport, onError, onProgress } = this.#options;
    const { signal } = this.#stopping;
    const startedAt = clock.now();
    try {
      await registry.register();
      await this.#alignment?.align();
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
      if (!signal.aborted) {
        // A store that cannot be written cannot keep this either.
        await registry.failed(source, startedAt, error).catch(() => undefined);
        onError?.(source, error);
      }
      return { source, report: null };
    }
  }
}
