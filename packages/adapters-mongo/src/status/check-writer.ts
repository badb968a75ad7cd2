import {
  DAY,
  grouped,
  HOUR,
  Retention,
  type Clock,
  type ClockDoubt,
  latestStateAfter,
  recountsOf,
  startOfDay,
  type Check,
  type DayChange,
  type LatestState,
  type ReadContext,
  type Recount,
  type RefusedRecord,
  type ServiceDay,
  type StatusDay,
} from '@vitrine/core';
import { BadValue } from '../documents/codec.js';
import type { CheckIdentity } from '../writers/mongo-record-writer.js';
import { ChangingDays, type DayChanges } from './changing-days.js';
import { checkDocument, checkOf } from './check-document.js';
import { dayId } from './day-document.js';
import type { StatusStore } from './status-store.js';

/** How many days are changed together. It limits how many raw checks are in memory. */
const DAYS_AT_ONCE = 128;

export interface CheckWriterOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Called when the clock jumps, or does not match the stored times. */
  readonly onClockDoubt?: ((doubt: ClockDoubt) => void) | undefined;
}

/** One of the given records. */
interface CheckItem {
  /** Its index in the given list. */
  readonly index: number;
  readonly record: Check | StatusDay;
}

/** What one item changes: a day of a service. */
interface Change<Item> extends DayChange {
  readonly item: Item;
}

/** How the items of changes are applied to the days. */
interface Work<Item> {
  readonly apply: (days: ChangingDays, item: Item) => boolean;
  /** Whether checks may be removed. Then whole days are counted again, and latest states are rebuilt. */
  readonly isRemoval: boolean;
}

/**
 * Writes checks and updates the counts of their days. Days are marked before their checks are written. They are unmarked when all derived data is
 * written too. So if a writer dies in between, the next one counts the marked days again.
 */
export class CheckWriter {
  readonly #clock: Clock;
  readonly #retention: Retention;
  /** Marked days that cannot be counted while the clock is in doubt. Until then it is unknown whether all of their raw checks are still stored. */
  #undecided: readonly ServiceDay[] = [];

  constructor(
    private readonly store: StatusStore,
    { clock, retentionMs, onClockDoubt }: CheckWriterOptions,
  ) {
    this.#clock = clock;
    this.#retention = new Retention(retentionMs, () => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
  }

  async put(items: readonly CheckItem[], context: ReadContext): Promise<{ readonly stored: number; readonly refused: readonly RefusedRecord[] }> {
    await this.#look(context);
    const refused: RefusedRecord[] = [];
    const accepted: Change<Check | StatusDay>[] = [];
    for (const { index, record } of items) {
      const since = record.kind === 'check' ? record.checkedAt : record.day;
      const change = { serviceKey: record.serviceKey, day: startOfDay(since), since, item: record };
      if (record.kind === 'check' ? !this.#retention.isFrozen(change.day) : await this.#mayHoldTally(change, context)) accepted.push(change);
      else refused.push({ index, reason: record.kind === 'check' ? 'frozen-day' : 'open-day' });
    }
    return { stored: await this.#inParts(accepted, PUT, context), refused };
  }

  async remove(identities: readonly CheckIdentity[], context: ReadContext): Promise<number> {
    await this.#look(context);
    const changes = identities.map((item): Change<CheckIdentity> => {
      const day = startOfDay(item.kind === 'check' ? item.checkedAt : item.day);
      return { serviceKey: item.serviceKey, day, since: day, item };
    });
    const possible = changes.filter(({ item, day }) =>
      item.kind === 'status-day' ? this.#retention.isSurelyFrozen(day) : !this.#retention.isFrozen(day),
    );
    return this.#inParts(possible, REMOVE, context);
  }

  /** Counts the days again that an interrupted writer has left marked. */
  async settle(context: ReadContext): Promise<void> {
    await this.#look(context);
    await this.#recover(await this.store.pending(context), context);
  }

  /** Counts whole days again from their raw checks, and rebuilds the latest states of their services. */
  async recount(days: readonly ServiceDay[], context: ReadContext): Promise<void> {
    await this.#look(context);
    await this.#recover([...days, ...(await this.store.mark(days))], context);
  }

  /** Reads the clock. Days are judged by this time until the next call. */
  async #look(context: ReadContext): Promise<void> {
    if (!this.#retention.isStarted) {
      const now = this.#clock.now();
      const [newest, dayOld] = await Promise.all([this.store.newestUntil(now + HOUR, context), this.store.newestUntil(now - DAY, context)]);
      this.#retention.start({ newest, dayOld });
    }
    this.#retention.look();
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  async #mayHoldTally({ serviceKey, day }: ServiceDay, context: ReadContext): Promise<boolean> {
    if (this.#retention.isSurelyFrozen(day)) return true;
    return this.#retention.isFrozen(day) && !(await this.store.hasChecks({ serviceKey, day }, context));
  }

  async #inParts<Item>(changes: readonly Change<Item>[], work: Work<Item>, context: ReadContext): Promise<number> {
    let count = 0;
    for (const part of inParts(changes)) {
      context.signal.throwIfAborted();
      const changed = recountsByService(part);
      await this.#recover(await this.store.mark(changed), context, changed);
      count += await this.#change(part, changed, work, context);
      await this.store.unmark(this.#undecided);
    }
    return count;
  }

  /** Applies changes and counts their days again, and the days after them that they reach. Returns how many items have changed something. */
  async #change<Item>(
    changes: readonly Change<Item>[],
    changed: readonly Recount[],
    { apply, isRemoval }: Work<Item>,
    context: ReadContext,
  ): Promise<number> {
    const days = new ChangingDays((day) => this.#retention.isFrozen(day));
    days.learn(changed, await this.store.storedDays(changed, context));
    const count = changes.filter(({ item }) => apply(days, item)).length;
    if (count === 0) return 0;
    for (let next = days.count(); next.length > 0; next = days.count()) {
      // If this is interrupted, the next writer counts these days too.
      await this.store.mark(next);
      days.learn(next, await this.store.storedDays(next, context));
    }
    await this.#write(days.changes(), changed, isRemoval, context);
    return count;
  }

  /** Writes in this order: readers find the newest checks by the latest states. */
  async #write(changes: DayChanges, changed: readonly ServiceDay[], isRemoval: boolean, context: ReadContext): Promise<void> {
    await this.store.write(changes);
    const serviceKeys = [...new Set(changed.map(({ serviceKey }) => serviceKey))];
    const before = await this.store.latestStates(serviceKeys, context);
    const states = new Map<string, LatestState | null>();
    const isTallied = changes.days.some(({ hours }) => hours.length === 0);
    for (const serviceKey of serviceKeys) {
      const known = isRemoval || isTallied ? undefined : before.get(serviceKey);
      const checks = changes.checks.filter((check) => check.serviceKey === serviceKey);
      states.set(serviceKey, known === undefined ? await this.latestState(serviceKey, context) : latestStateAfter(known, checks));
    }
    await this.store.writeLatestStates(states);
  }

  /** Reads the latest state of a service again. */
  latestState(serviceKey: string, context: ReadContext): Promise<LatestState | null> {
    return this.store.foundLatestState(serviceKey, this.#retention.keptFrom, context);
  }

  async #recover(pending: readonly ServiceDay[], context: ReadContext, stillPending: readonly ServiceDay[] = []): Promise<void> {
    this.#undecided = pending.filter(({ day }) => this.#retention.isFrozen(day) && !this.#retention.isSurelyFrozen(day));
    const left = pending.filter((day) => !this.#undecided.includes(day));
    if (left.length === 0) return;
    const changes = left.map(({ serviceKey, day }): Change<null> => ({ serviceKey, day, since: day, item: null }));
    for (const part of inParts(changes)) await this.#change(part, recountsByService(part), RECOUNT, context);
    await this.store.unmark([...stillPending, ...this.#undecided]);
  }
}

const PUT: Work<Check | StatusDay> = {
  apply: (days, record) => (record.kind === 'check' ? days.put(asStored(record)) : days.putTally(record)),
  isRemoval: false,
};
const REMOVE: Work<CheckIdentity> = {
  apply: (days, identity) => (identity.kind === 'check' ? days.remove(identity) : days.removeTally(identity)),
  isRemoval: true,
};
const RECOUNT: Work<null> = { apply: () => true, isRemoval: true };

/** The check as it would be read back, so that it can be compared with stored checks. */
function asStored(check: Check): Check {
  const stored = checkOf(checkDocument(check));
  return stored instanceof BadValue ? check : stored;
}

/** Splits changes into parts that touch a limited number of days each. They are sorted by service and day, so that neighbouring days are in the same part. */
function inParts<Item>(changes: readonly Change<Item>[]): Change<Item>[][] {
  const byDay = grouped(changes, ({ serviceKey, day }) => dayId(serviceKey, day));
  const days = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same);
  const parts: Change<Item>[][] = [];
  for (let start = 0; start < days.length; start += DAYS_AT_ONCE) parts.push(days.slice(start, start + DAYS_AT_ONCE).flat());
  return parts;
}

/** Services have their days apart. */
function recountsByService(changes: readonly DayChange[]): readonly Recount[] {
  return [...grouped(changes, ({ serviceKey }) => serviceKey).values()].flatMap((own) => recountsOf(own));
}
