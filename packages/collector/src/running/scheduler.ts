import { SECOND, type ApprovedRepositories, type Clock, type CollectionReader, type Instant, type RecordWriter } from '@vitrine/core';
import type { Candidates } from './current-approval.js';
import { pauseAfter } from './back-off.js';
import { Receivers } from './receivers.js';
import type { RunNotes } from './run-notes.js';
import { SearchAlignment } from './search-alignment.js';
import { SourceRegistry } from './source-registry.js';
import type { RunReport, Source, SourceContext } from './source.js';
import { vouchingFor, wrappedWriter } from './vouching.js';

export interface SchedulerOptions {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly clock: Clock;
  /** The allowlist of the moment: before a source runs, search is brought into line with it. Search stays as it is without it. */
  readonly approved?: () => ApprovedRepositories;
  /** What the allowlist would be if nothing was hidden: a source that is missing while its repository is hidden has left. Default: `approved`. */
  readonly candidates?: () => Candidates;
  /** Sources of the configuration that another process runs, by the ids of their sync records; none by default. */
  readonly isForeign?: (id: string) => boolean;
  /** The path of the configuration file that the sources come from. Sync records of other configurations stay. */
  readonly configuration?: string;
  /** Keeps notes about the runs for operators. */
  readonly notes?: RunNotes | null;
  readonly onReport?: ((source: Source, report: RunReport) => void) | undefined;
  /** A run failed. A remote source that fails several times in a row runs less often until it succeeds. */
  readonly onError?: ((source: Source, error: unknown) => void) | undefined;
  readonly onProgress?: ((source: Source, done: number, what: string, total?: number) => void) | undefined;
}

/** How a source's run ended: a report, or `null` and the reason when it failed. */
export interface RunOutcome {
  readonly source: Source;
  readonly report: RunReport | null;
  readonly error?: unknown;
}

/** How soon search follows the allowlist when no source is due. */
const ALIGNED_EVERY_MS = 2 * SECOND;

/** Runs sources once or on their intervals. No source ever runs twice at once, and no failure of one touches another. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Source, Promise<RunOutcome>>();
  /** The sources that are repeated, each with its own abort controller. */
  readonly #repeated = new Map<Source, AbortController>();
  readonly #timers = new Map<Source | null, NodeJS.Timeout>();
  /** How often each source has failed in a row; 0 after a success. */
  readonly #failures = new WeakMap<Source, number>();
  readonly #succeeded = new WeakSet<Source>();
  readonly #alignment: SearchAlignment | null;
  readonly #receivers: Receivers;
  #registry: SourceRegistry;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { approved, writer } = options;
    this.#alignment = approved === undefined ? null : new SearchAlignment(writer, approved, this.#stopping.signal);
    this.#registry = new SourceRegistry([], { ...options, signal: this.#stopping.signal });
    const run = async (source: Source) => (await this.runNow(source))?.report ?? null;
    this.#receivers = new Receivers({ clock: options.clock, sources: () => this.repeated(), run });
  }

  /** Runs each source once, one after the other, except sources with a receiver. Sources that are left when the scheduler stops are not run. */
  async runOnce(sources: readonly Source[]): Promise<readonly RunOutcome[]> {
    this.#registerAll(sources);
    const outcomes: RunOutcome[] = [];
    for (const source of sources) if (!this.#stopping.signal.aborted && source.receiver === undefined) outcomes.push(await this.#run(source));
    await this.#registry.settled();
    return outcomes;
  }

  /**
   * Runs each source now and then on its interval, counted from start to start, or when it says; a run that takes longer than the interval is followed by the
   * next at once. After a run that failed, the pause counts from its end ({@link pauseAfter}).
   */
  start(sources: readonly Source[]): void {
    if (this.#alignment !== null) void this.#alignAndRepeat(this.#alignment);
    this.#registerAll(sources);
    this.#receivers.follow(sources);
    for (const source of sources) this.#repeat(source, []);
  }

  /**
   * Repeats these sources from now on. One that is repeated already goes on; one that is not among them is ended, also in the middle of a run. A new
   * one begins when all that had its id have ended.
   */
  replace(sources: readonly Source[]): void {
    if (this.#stopping.signal.aborted) return;
    const leaving = [...this.#repeated.keys()].filter((source) => !sources.includes(source));
    for (const source of leaving) this.#end(source);
    this.#receivers.follow(sources);
    // Also when nothing new runs: the records of those that left go.
    void this.#registerAll(sources)
      .register()
      .catch(() => undefined);
    for (const source of sources) if (!this.#repeated.has(source)) this.#repeat(source, this.#runsOf(source.id));
  }

  repeated(): readonly Source[] {
    return [...this.#repeated.keys()];
  }

  /** Runs a source that is repeated, after a run of it that has begun. `null` if it is not repeated, or not any more. Its interval then counts from this run. */
  async runNow(source: Source): Promise<RunOutcome | null> {
    await Promise.all(this.#runsOf(source.id));
    const ending = this.#repeated.get(source);
    if (ending === undefined) return null;
    const outcome = this.#run(source);
    void this.#runAndRepeat(source, ending.signal);
    return outcome;
  }

  /** Ends all runs early and resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const source of this.#repeated.keys()) this.#end(source);
    clearTimeout(this.#timers.get(null));
    await Promise.all([this.#receivers.stop(), ...this.#running.values(), this.#alignment?.settled(), this.#registry.settled()]);
    await this.#options.notes?.settled();
  }

  async #alignAndRepeat(alignment: SearchAlignment): Promise<void> {
    // The next source that runs fails too then, and says so.
    await alignment.align().catch(() => undefined);
    if (this.#stopping.signal.aborted) return;
    this.#timers.set(
      null,
      setTimeout(() => void this.#alignAndRepeat(alignment), ALIGNED_EVERY_MS),
    );
  }

  #repeat(source: Source, before: readonly Promise<unknown>[]): void {
    const ending = new AbortController();
    this.#repeated.set(source, ending);
    void Promise.all(before).then(() => this.#runAndRepeat(source, ending.signal));
  }

  async #runAndRepeat(source: Source, ending: AbortSignal): Promise<void> {
    if (ending.aborted) return;
    const startedAt = performance.now();
    const outcome = await this.#run(source);
    const now = this.#options.clock.now();
    // A run that fails late, such as one that was given up, must not be followed by the next at once.
    const passed = outcome.report === null ? 0 : performance.now() - startedAt;
    const pause = this.#pauseAfter(outcome) - passed;
    this.#runLater(source, source.nextRunAt === undefined ? pause : source.nextRunAt(now) - now, ending);
  }

  #pauseAfter({ source, report, error }: RunOutcome): number {
    const count = report === null ? (this.#failures.get(source) ?? 0) + 1 : 0;
    this.#failures.set(source, count);
    if (report !== null) this.#succeeded.add(source);
    const failures = { count, isNew: !this.#succeeded.has(source), isRemote: source.isRemote === true };
    return pauseAfter(source.intervalMs, failures, error, Math.random());
  }

  #runLater(source: Source, inMs: number, ending: AbortSignal): void {
    if (ending.aborted) return;
    // A source that ran before it was due has two runs to follow.
    clearTimeout(this.#timers.get(source));
    const timer = setTimeout(() => void this.#runAndRepeat(source, ending), Math.max(0, inMs));
    this.#timers.set(source, timer);
  }

  #end(source: Source): void {
    this.#repeated.get(source)?.abort();
    this.#repeated.delete(source);
    clearTimeout(this.#timers.get(source));
    this.#timers.delete(source);
  }

  /** Two runs of one id would undo each other's work. */
  #runsOf(id: string): readonly Promise<unknown>[] {
    return [...this.#running].filter(([source]) => source.id === id).map(([, run]) => run);
  }

  #registerAll(sources: readonly Source[]): SourceRegistry {
    const after = this.#registry.settled();
    this.#registry = new SourceRegistry(sources, { ...this.#options, signal: this.#stopping.signal, after });
    return this.#registry;
  }

  #run(source: Source): Promise<RunOutcome> {
    const running = this.#running.get(source);
    if (running !== undefined) return running;
    const run = this.#attempt(source).finally(() => this.#running.delete(source));
    this.#running.set(source, run);
    return run;
  }

  async #attempt(source: Source): Promise<RunOutcome> {
    const { clock, onReport, onError } = this.#options;
    const { signal } = this.#repeated.get(source) ?? this.#stopping;
    const startedAt = clock.now();
    try {
      await this.#registry.register();
      await this.#alignment?.align();
      const report = await source.run(this.#contextOf(source, signal));
      await this.#options.notes?.completed(source, report);
      onReport?.(source, report);
      return { source, report };
    } catch (error) {
      // A run that was told to stop did not fail.
      if (!signal.aborted) {
        await this.#keepFailure(source, startedAt, error, signal);
        onError?.(source, error);
      }
      return { source, report: null, error };
    }
  }

  #contextOf(source: Source, signal: AbortSignal): SourceContext {
    const { writer, collection, clock, onProgress } = this.#options;
    const store = vouchingFor(source.registration?.id, { writer: writingUntil(signal, writer), collection });
    return { ...store, clock, signal, progress: (done, what, total) => onProgress?.(source, done, what, total) };
  }

  async #keepFailure(source: Source, startedAt: Instant, error: unknown, signal: AbortSignal): Promise<void> {
    // A store that cannot be written cannot keep this either.
    await this.#registry.failed(source, startedAt, error, signal).catch(() => undefined);
    await this.#options.notes?.failed(source, error);
  }
}

/** A writer that refuses once a source was ended: the sync record that the end of its run writes would stay for ever. */
function writingUntil(ended: AbortSignal, writer: RecordWriter): RecordWriter {
  return wrappedWriter(writer, async (call) => {
    ended.throwIfAborted();
    return call();
  });
}
