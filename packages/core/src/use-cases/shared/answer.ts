import { UnavailableError } from '../../kinds/domain-error.js';
import { earliestOf, MINUTE, type Instant } from '../../kinds/instant.js';
import type { ListedRecord } from '../../kinds/kinds.js';
import type { Page, Warning } from '../../kinds/page.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { ReadContext, SyncReader } from '../../ports/readers.js';
import type { Clock, Deadlines } from '../../ports/store.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import { combinedStatus, freshnessOf, type AnswerKinds, type DataStatus, type Freshness, type SourceScope } from '../../rules/freshness.js';
import { isFoundUntil } from '../../rules/search-fields.js';

export type { Warning };

export interface Answer<Data> extends Freshness {
  readonly data: Data;
}

/** An answer made of several sources, with the moment it was made. */
export interface ComposedAnswer<Data> extends Answer<Data> {
  readonly generatedAt: Instant;
}

export type PageAnswer<Item, Position> = Answer<Page<Item, Position>>;

export function unreadable(source: string): Warning {
  return { code: 'SOURCE_UNAVAILABLE', source, detail: `Stored ${source} records could not be read.` };
}

/** The freshness of an answer of which these parts could not be read. */
export function withoutParts({ dataStatus, warnings, changesAt }: Freshness, missing: readonly Warning[]): Freshness {
  return { dataStatus: combinedStatus(missing.length > 0 ? [dataStatus, 'partial'] : [dataStatus]), warnings: [...missing, ...warnings], changesAt };
}

/** The freshness of an answer whose data also changes at these moments. */
export function alsoChangingAt(freshness: Freshness, moments: readonly (Instant | null)[]): Freshness {
  return { ...freshness, changesAt: earliestOf([freshness.changesAt, ...moments]) };
}

/** One request's permission and cancellation. A request takes one set of approved repositories at its start. */
export interface UseCaseContext extends ReadContext {
  readonly approved: ApprovedRepositories;
}

/** For answers that can do without repositories: `null` when the allowlist cannot be read. */
export interface PartialContext extends ReadContext {
  readonly approved: ApprovedRepositories | null;
}

/** The latest time a record may bear to be served now: a little ahead, because clocks differ. */
export function latestVisible(now: Instant): Instant {
  return now + 5 * MINUTE;
}

/** Planned maintenance is announced ahead; other records are not served before their time. */
export function isVisible(record: ListedRecord, now: Instant): boolean {
  return isFoundUntil(record, latestVisible(now));
}

/** Makes a call reject where it would throw. A throw within `Promise.all` would leave the calls before it unhandled, which ends the process. */
export async function started<Result>(call: () => Promise<Result>): Promise<Result> {
  return call();
}

/** The time each source of a composed answer has, in milliseconds. */
export const SOURCE_DEADLINE_MS = 1_000;
/** The time of data that depends on earlier reads: shorter, so that both fit into one request. */
export const BESIDE_DEADLINE_MS = 400;

type Call<Result> = (signal: AbortSignal) => Promise<Result>;

/** Reads the sources of one answer side by side, each in its own time, and remembers which could not be read. */
export class Sources {
  readonly #failed: SyncedKind[] = [];
  #asked = 0;

  constructor(
    private readonly deadlines: Deadlines,
    private readonly signal: AbortSignal,
  ) {}

  /** What the call gives, or `fallback` if it fails or takes too long. @param kinds what is missing then; without any, the answer is complete without the result */
  async read<Result>(kinds: readonly SyncedKind[], fallback: Result, call: Call<Result>, milliseconds = SOURCE_DEADLINE_MS): Promise<Result> {
    this.#asked += kinds.length;
    try {
      return await this.deadlines.run(milliseconds, this.signal, call);
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

type JudgeContext = ReadContext & Partial<PartialContext>;

/** Says from the sync records how current the records of a kind are. */
export class FreshnessJudge {
  constructor(
    private readonly reader: SyncReader,
    private readonly clock: Clock,
  ) {}

  /** For an answer of one kind. Sync records that cannot be read give nothing to judge by: `unknown`. */
  async of(kind: SyncedKind, scope: SourceScope, context: JudgeContext): Promise<Freshness> {
    return (await this.withSyncs(kind, scope, context)).freshness;
  }

  /** As {@link of}, with the sync records that say when repositories were last synced. */
  async withSyncs(kind: SyncedKind, scope: SourceScope, context: JudgeContext) {
    const syncs = await this.syncs(context);
    return { freshness: this.judge({ kinds: [kind], shown: [kind], scope }, syncs), syncs };
  }

  /** The sync records to {@link judge} by; none when they cannot be read. */
  async syncs({ approved = null, signal }: JudgeContext): Promise<readonly SyncTimes[]> {
    try {
      return await this.reader.list(approved, { signal });
    } catch {
      return [];
    }
  }

  /** For an answer of several kinds, by sync records that were read already. */
  judge(answer: AnswerKinds, syncs: readonly SyncTimes[]): Freshness {
    return freshnessOf(answer, syncs, this.clock.now());
  }
}

/** {@link Deadlines} over `AbortSignal.timeout`, which every platform has: no timer is left behind that keeps a process alive. */
export class SignalDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new UnavailableError();
    const own = new AbortController();
    // One by one: a signal that AbortSignal.any() makes does not keep its time-out alive on every version of Node.
    const ends = [signal, AbortSignal.timeout(milliseconds)];
    return new Promise((resolve, reject) => {
      const end = (): void => {
        const reason = new UnavailableError();
        own.abort(reason);
        reject(reason);
      };
      for (const source of ends) source.addEventListener('abort', end, { once: true });
      call(own.signal)
        .then(resolve, reject)
        .finally(() => {
          for (const source of ends) source.removeEventListener('abort', end);
        });
    });
  }
}
