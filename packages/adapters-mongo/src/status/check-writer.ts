import {
  type ApplyToDays,
  changeByPut,
  changeByRemoval,
  changedDays,
  type ChangeOfDay,
  type Check,
  type Clock,
  DAY,
  type DayIdentity,
  DEFAULT_RETENTION_MS,
  type GivenRecord,
  grouped,
  HOUR,
  inParts,
  type LatestState,
  latestStateAfter,
  putOnDays,
  type ReadContext,
  type RecordStoreOptions,
  type RefusedRecord,
  removeFromDays,
  Retention,
  type ServiceDay,
  type StatusDay,
} from '@vitrine/core';
import { BadValue } from '../documents/codec.js';
import type { Commits } from '../writers/commits.js';
import type { WriteReport } from '../writers/plain-record-writer.js';
import { checkDocument, checkOf, dayId } from './status-documents.js';
import { StatusStore } from './status-store.js';

/** How many days are changed together. It limits how many raw checks are in memory. */
const DAYS_AT_ONCE = 128;

/** How days are changed, and whether checks may be removed. */
type Work<Item> = { readonly apply: ApplyToDays<Item>; readonly isRemoval: boolean };

/** Writes checks, and in the same transaction the counts of their days and the latest states of their services. */
export class CheckWriter {
  readonly #clock: Clock;
  readonly #retention: Retention;

  constructor(
    private readonly commits: Commits,
    { clock, retentionMs = DEFAULT_RETENTION_MS, onClockDoubt }: RecordStoreOptions,
  ) {
    this.#clock = clock;
    this.#retention = new Retention(retentionMs, () => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
  }

  async put(items: readonly GivenRecord<Check | StatusDay>[], context: ReadContext): Promise<WriteReport> {
    await this.#look();
    const refused: RefusedRecord[] = [];
    const accepted: ChangeOfDay<Check | StatusDay>[] = [];
    for (const { index, record } of items) {
      const change = changeByPut(record.kind === 'check' ? asStored(record) : record);
      if (record.kind === 'check' ? !this.#retention.isFrozen(change.day) : await this.#mayHoldTally(change)) accepted.push(change);
      else refused.push({ index, reason: record.kind === 'check' ? 'frozen-day' : 'open-day' });
    }
    return { stored: await this.#inParts(accepted, { apply: putOnDays, isRemoval: false }, context), refused };
  }

  async remove(identities: readonly DayIdentity[], context: ReadContext): Promise<number> {
    await this.#look();
    const possible = identities
      .map(changeByRemoval)
      .filter(({ item, day }) => (item.kind === 'status-day' ? this.#retention.isSurelyFrozen(day) : !this.#retention.isFrozen(day)));
    return this.#inParts(possible, { apply: removeFromDays, isRemoval: true }, context);
  }

  /** Counts the days again that another collector has marked. While the clock is in doubt, it is not known whether the raw checks of some are still stored: they stay marked. */
  async settle(context: ReadContext): Promise<void> {
    const pending = await this.inStore((store) => store.pending());
    if (pending.length === 0) return;
    await this.#look();
    const counted = pending.filter(({ day }) => !this.#retention.isFrozen(day) || this.#retention.isSurelyFrozen(day));
    await this.recount(counted, context);
    await this.inStore((store) => store.unmark(counted));
  }

  /** Counts whole days again from their raw checks, and rebuilds the latest states of their services. */
  async recount(days: readonly ServiceDay[], context: ReadContext): Promise<void> {
    await this.#look();
    const changes = days.map(({ serviceKey, day }) => ({ serviceKey, day, since: day, item: null }));
    await this.#inParts(changes, { apply: () => true, isRemoval: true }, context);
  }

  async rebuildLatestState(serviceKey: string): Promise<void> {
    await this.inStore(async (store) => {
      await store.writeLatestStates(new Map([[serviceKey, await store.foundLatestState(serviceKey, this.#retention.keptFrom)]]));
    });
  }

  inStore<Result>(work: (store: StatusStore) => Promise<Result>): Promise<Result> {
    return this.commits.commit((transaction) => work(new StatusStore(transaction)));
  }

  /** Reads the clock. Days are judged by this time until the next call. */
  async #look(): Promise<void> {
    if (!this.#retention.isStarted) {
      const now = this.#clock.now();
      const stored = await this.inStore(async (store) => ({
        newest: await store.newestUntil(now + HOUR),
        dayOld: await store.newestUntil(now - DAY),
      }));
      this.#retention.start(stored);
    }
    this.#retention.look();
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  async #mayHoldTally({ serviceKey, day }: ServiceDay): Promise<boolean> {
    if (this.#retention.isSurelyFrozen(day)) return true;
    return this.#retention.isFrozen(day) && !(await this.inStore((store) => store.hasChecks({ serviceKey, day })));
  }

  async #inParts<Item>(changes: readonly ChangeOfDay<Item>[], work: Work<Item>, { signal }: ReadContext): Promise<number> {
    let count = 0;
    for (const part of partsOf(changes)) {
      signal.throwIfAborted();
      count += await this.inStore((store) => this.#change(store, part, work));
    }
    return count;
  }

  async #change<Item>(store: StatusStore, changes: readonly ChangeOfDay<Item>[], { apply, isRemoval }: Work<Item>): Promise<number> {
    const steps = changedDays(changes, apply, ({ day }) => this.#retention.isFrozen(day));
    let step = steps.next();
    while (step.done !== true) step = steps.next(await store.storedDays(step.value));
    const { effective, written } = step.value;
    if (effective.length === 0) return 0;
    await store.write(written);
    const isTallied = written.days.some(({ counted }) => counted.hours.length === 0);
    // If checks may have been removed, the latest states are found again.
    const added = isRemoval || isTallied ? null : written.checks;
    await store.writeLatestStates(await this.#latestStates(store, changes, added));
    return effective.length;
  }

  /** @param added the checks by which the states have changed; `null` if they must be found again */
  async #latestStates(
    store: StatusStore,
    changed: readonly ServiceDay[],
    added: readonly Check[] | null,
  ): Promise<ReadonlyMap<string, LatestState | null>> {
    const serviceKeys = [...new Set(changed.map(({ serviceKey }) => serviceKey))];
    const before = added === null ? new Map<string, LatestState>() : await store.latestStates(serviceKeys);
    const states = new Map<string, LatestState | null>();
    for (const key of serviceKeys) {
      const [known, checks] = [before.get(key), added?.filter(({ serviceKey }) => serviceKey === key) ?? []];
      states.set(key, known === undefined ? await store.foundLatestState(key, this.#retention.keptFrom) : latestStateAfter(known, checks));
    }
    return states;
  }
}

/** The check as it would be read back, so that it can be compared with stored checks. */
function asStored(check: Check): Check {
  const stored = checkOf(checkDocument(check));
  return stored instanceof BadValue ? check : stored;
}

/** Splits changes into parts that touch a limited number of days each. They are sorted by service and day, so that neighbouring days are in the same part. */
function partsOf<Item>(changes: readonly ChangeOfDay<Item>[]): ChangeOfDay<Item>[][] {
  const byDay = grouped(changes, ({ serviceKey, day }) => dayId(serviceKey, day));
  const days = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same);
  return inParts(days, DAYS_AT_ONCE).map((part) => part.flat());
}
