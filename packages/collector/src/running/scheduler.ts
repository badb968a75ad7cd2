import { ANYTHING, assertOptions, CLOCK, FUNCTION, required, TEXT, type RulesOf } from '@vitrine/core';
import { pauseAfter } from './back-off.js';
import type { RunNotes } from './run-notes.js';
import { SearchAlignment } from './search-alignment.js';
import { COLLECTION, vouchingWriter, WRITER } from './vouching.js';
import { SourceRegistry, type RegistryOptions } from './source-registry.js';
import type { Receiver, RunReport, Source, SourceContext } from './source.js';

export interface SchedulerOptions extends RegistryOptions {
  /** Keeps notes about the runs for operators. */
  readonly notes?: RunNotes | null;
  readonly onReport?: ((source: Source, report: RunReport) => void) | undefined;
  /** A run failed. A remote source that fails several times in a row runs less often until it succeeds. */
  readonly onError?: ((source: Source, error: unknown) => void) | undefined;
  readonly onProgress?: ((source: Source, done: number, what: string, total?: number) => void) | undefined;
}

const OPTIONS: RulesOf<SchedulerOptions> = {
  writer: required(WRITER),
  collection: required(COLLECTION),
  clock: required(CLOCK),
  configuration: TEXT,
  approved: FUNCTION,
  candidates: FUNCTION,
  isForeign: FUNCTION,
  notes: ANYTHING,
  onReport: FUNCTION,
  onError: FUNCTION,
  onProgress: FUNCTION,
};

/** Node.js ends a longer timer at once. A source with a longer interval runs a little more often. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How a source's run ended: a report, or `null` and the reason when it failed. */
export interface RunOutcome {
  readonly source: Source;
  readonly report: RunReport | null;
  readonly error?: unknown;
}

interface Repetition {
  readonly ending: AbortController;
  timer?: NodeJS.Timeout;
  failures: number;
  hasSucceeded: boolean;
  /** The last run that was counted. Two callers can wait for the same one. */
  counted: RunOutcome | null;
}

/** Runs sources once or on their intervals. No source ever runs twice at once, and no failure of one touches another. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Source, Promise<RunOutcome>>();
  readonly #repeated = new Map<Source, Repetition>();
  readonly #receivers = new Set<Receiver>();
  readonly #endedReceivers = new Set<Promise<void>>();
  readonly #registry: SourceRegistry;
  readonly #alignment: SearchAlignment;
  #isStarted = false;

  /** Throws a `TypeError` if an option is missing, wrong or does not exist. */
  constructor(options: SchedulerOptions) {
    assertOptions('Scheduler', options, OPTIONS);
    this.#options = options;
    this.#registry = new SourceRegistry(options, this.#stopping.signal);
    this.#alignment = new SearchAlignment(options, this.#stopping.signal);
  }

  /** Runs each source once, one after the other, except sources with a receiver. Sources that are left when the scheduler stops are not run. */
  async runOnce(sources: readonly Source[]): Promise<readonly RunOutcome[]> {
    this.#registry.follow(sources);
    const outcomes: RunOutcome[] = [];
    for (const source of sources) if (!this.#stopping.signal.aborted && source.receiver === undefined) outcomes.push(await this.#run(source));
    await this.#registry.settled();
    return outcomes;
  }

  /** Runs each source now, and then on its interval from start to start, or when it says. A run that takes longer is followed by the next at once. After a failure, {@link pauseAfter} counts from the end. Throws if it was started or stopped before. */
  start(sources: readonly Source[]): void {
    if (this.#isStarted || this.#stopping.signal.aborted)
      throw new Error('A Scheduler starts only once. Call replace(sources) to change its sources, or create a new one after stop().');
    this.#registry.follow(sources);
    this.#isStarted = true;
    this.#alignment.start();
    this.#followReceivers(sources);
    for (const source of sources) this.#repeat(source, []);
  }

  /** Repeats these sources from now on. Others end, also in the middle of a run. A new one begins when all that had its id have ended. */
  replace(sources: readonly Source[]): void {
    if (this.#stopping.signal.aborted) return;
    this.#registry.follow(sources);
    for (const source of this.repeated()) if (!sources.includes(source)) this.#end(source);
    this.#followReceivers(sources);
    // Also when nothing new runs: the records of those that left go.
    void this.#registry.register().catch(() => undefined);
    for (const source of sources) if (!this.#repeated.has(source)) this.#repeat(source, this.#runsOf(source.id));
  }

  repeated(): readonly Source[] {
    return [...this.#repeated.keys()];
  }

  /** Runs a source that is repeated, after a run of it that has begun. `null` if it is not repeated, or not any more. Its interval then counts from this run. */
  async runNow(source: Source): Promise<RunOutcome | null> {
    await Promise.all(this.#runsOf(source.id));
    const repetition = this.#repeated.get(source);
    return repetition === undefined ? null : this.#runAndRepeat(source, repetition);
  }

  /** Ends all runs early and resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const source of this.repeated()) this.#end(source);
    this.#followReceivers([]);
    await Promise.all([...this.#endedReceivers, ...this.#running.values(), this.#alignment.stop(), this.#registry.settled()]);
    await this.#options.notes?.settled();
  }

  #followReceivers(sources: readonly Source[]): void {
    const wanted = new Set(sources.flatMap(({ receiver }) => receiver ?? []));
    for (const receiver of this.#receivers) {
      if (wanted.has(receiver)) continue;
      this.#receivers.delete(receiver);
      const ended = receiver.stop().finally(() => this.#endedReceivers.delete(ended));
      this.#endedReceivers.add(ended);
    }
    const run = async (source: Source) => (await this.runNow(source))?.report ?? null;
    for (const receiver of wanted) {
      if (this.#receivers.has(receiver)) continue;
      this.#receivers.add(receiver);
      receiver.start({ clock: this.#options.clock, sources: () => this.repeated(), run });
    }
  }

  #repeat(source: Source, before: readonly Promise<unknown>[]): void {
    const repetition: Repetition = { ending: new AbortController(), failures: 0, hasSucceeded: false, counted: null };
    this.#repeated.set(source, repetition);
    void Promise.all(before).then(() => this.#runAndRepeat(source, repetition));
  }

  async #runAndRepeat(source: Source, repetition: Repetition): Promise<RunOutcome | null> {
    if (repetition.ending.signal.aborted) return null;
    const startedAt = performance.now();
    const outcome = await this.#run(source);
    const { report, error } = outcome;
    if (report !== null) repetition.failures = 0;
    else if (outcome !== repetition.counted) repetition.failures += 1;
    repetition.counted = outcome;
    repetition.hasSucceeded ||= report !== null;
    // A run that fails late, such as one that was given up, must not be followed by the next at once.
    const passed = report === null ? 0 : performance.now() - startedAt;
    const failures = { count: repetition.failures, isNew: !repetition.hasSucceeded, isRemote: source.isRemote === true };
    const pause = pauseAfter(source.intervalMs, failures, error, Math.random()) - passed;
    const now = this.#options.clock.now();
    const inMs = source.nextRunAt === undefined ? pause : source.nextRunAt(now) - now;
    this.#runLater(source, repetition, inMs);
    return outcome;
  }

  #runLater(source: Source, repetition: Repetition, inMs: number): void {
    if (repetition.ending.signal.aborted) return;
    // A source that ran before it was due has two runs to follow.
    clearTimeout(repetition.timer);
    repetition.timer = setTimeout(() => void this.#runAndRepeat(source, repetition), Math.min(LONGEST_TIMER_MS, Math.max(0, inMs)));
    if (repetition.failures > 0) void this.#options.notes?.retries(source, Math.round(this.#options.clock.now() + inMs));
  }

  #end(source: Source): void {
    const repetition = this.#repeated.get(source);
    repetition?.ending.abort();
    clearTimeout(repetition?.timer);
    this.#repeated.delete(source);
  }

  /** Two runs of one id would undo each other's work. */
  #runsOf(id: string): readonly Promise<unknown>[] {
    return [...this.#running].filter(([source]) => source.id === id).map(([, run]) => run);
  }

  #run(source: Source): Promise<RunOutcome> {
    const running = this.#running.get(source);
    if (running !== undefined) return running;
    const run = this.#attempt(source).finally(() => this.#running.delete(source));
    this.#running.set(source, run);
    return run;
  }

  async #attempt(source: Source): Promise<RunOutcome> {
    const { clock, notes, onReport, onError } = this.#options;
    const context = this.#contextOf(source);
    const { signal } = context;
    const startedAt = clock.now();
    try {
      await this.#registry.register();
      await this.#alignment.align();
      const report = await source.run(context);
      await notes?.completed(source, report);
      onReport?.(source, report);
      return { source, report };
    } catch (error) {
      // A run that was told to stop did not fail.
      if (!signal.aborted) {
        // A store that cannot be written cannot keep this either.
        await this.#registry.failed(source, startedAt, error, signal).catch(() => undefined);
        await notes?.failed(source, error);
        onError?.(source, error);
      }
      return { source, report: null, error };
    }
  }

  #contextOf(source: Source): SourceContext {
    const { signal } = this.#repeated.get(source)?.ending ?? this.#stopping;
    const { writer, collection, clock, onProgress } = this.#options;
    const id = source.registration?.id;
    const progress: SourceContext['progress'] = (done, what, total) => onProgress?.(source, done, what, total);
    return { writer: vouchingWriter(id, writer, signal), collection, ...(id !== undefined && { source: id }), clock, signal, progress };
  }
}
