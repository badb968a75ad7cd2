import {
  DAY,
  startOfDay,
  startOfHour,
  type Check,
  type Clock,
  type DayTally,
  type Instant,
  type ReadContext,
  type RefusedRecord,
} from '@vitrine/core';
import type { CheckIdentity } from '../writers/mongo-record-writer.js';
import { checkId } from './check-document.js';
import type { StatusStore } from './status-store.js';
import type { ServiceDay } from './count-day.js';
import { DayBook, type Recount } from './day-book.js';
import { dayId, type StoredDay } from './day-document.js';
import { nextTrail } from './next-trail.js';
import { rebuiltTrail } from './rebuilt-trail.js';
import { Retention, type RetentionOptions } from './retention.js';
import type { Trail } from './trail-document.js';

/** How many days are changed together. It limits how many raw checks are in memory. */
const DAYS_AT_ONCE = 128;

/** One of the given records. */
interface CheckItem {
  /** Its index in the given list. */
  readonly index: number;
  readonly record: Check | DayTally;
}

/** What one item changes: a day of a service. */
interface Change<Item> extends ServiceDay {
  readonly item: Item;
  readonly since: Instant;
}

/**
 * Writes checks and updates the counts of their days. Days are marked before their checks are written. They are unmarked when all derived data is
 * written too. So if a writer dies in between, the next one counts the marked days again.
 */
export class CheckWriter {
  readonly #store: StatusStore;
  readonly #clock: Clock;
  readonly #retention: Retention;
  /** Marked days that cannot be counted while the clock is in doubt. Until then it is unknown whether all of their raw checks are still stored. */
  #undecided: readonly ServiceDay[] = [];
  #stamp = 0;

  constructor(store: StatusStore, options: RetentionOptions) {
    this.#store = store;
    this.#clock = options.clock;
    this.#retention = new Retention(store, options);
  }

  async put(items: readonly CheckItem[], context: ReadContext): Promise<{ readonly stored: number; readonly refused: readonly RefusedRecord[] }> {
    await this.#retention.look(context);
    const refused: RefusedRecord[] = [];
    const accepted: Change<Check | DayTally>[] = [];
    for (const { index, record } of items) {
      const since = record.kind === 'check' ? record.checkedAt : record.day;
      const day = startOfDay(since);
      const change = { serviceKey: record.serviceKey, day, since, item: record };
      if (record.kind === 'check' ? !this.#retention.isFrozen(day) : await this.#mayHoldTally(change, context)) accepted.push(change);
      else refused.push({ index, reason: record.kind === 'check' ? 'frozen-day' : 'open-day' });
    }
    const stored = await this.#inParts(accepted, context, (book, record) => (record.kind === 'check' ? book.put(record) : book.putTally(record)));
    return { stored, refused };
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  async #mayHoldTally({ serviceKey, day }: ServiceDay, context: ReadContext): Promise<boolean> {
    if (this.#retention.isSurelyFrozen(day)) return true;
    return this.#retention.isFrozen(day) && !(await this.#store.hasChecks({ serviceKey, day }, context));
  }

  async remove(identities: readonly CheckIdentity[], context: ReadContext): Promise<number> {
    await this.#retention.look(context);
    const changes = identities.map((item): Change<CheckIdentity> => {
      const day = startOfDay(item.kind === 'check' ? item.checkedAt : item.day);
      return { serviceKey: item.serviceKey, day, since: day, item };
    });
    const possible = changes.filter(({ item, day }) =>
      item.kind === 'status-day' ? this.#retention.isSurelyFrozen(day) : !this.#retention.isFrozen(day),
    );
    return this.#inParts(
      possible,
      context,
      (book, identity) => {
        if (identity.kind === 'status-day') return book.removeTally(identity);
        return book.remove(checkId(identity.serviceKey, identity.checkedAt, identity.source), identity.serviceKey, identity.checkedAt);
      },
      true,
    );
  }

  /** Counts the days again that an interrupted writer has left marked. */
  async settle(context: ReadContext): Promise<void> {
    await this.#retention.look(context);
    await this.#recover(await this.#store.pending(context), context);
  }

  /** Counts whole days again from their raw checks, and rebuilds the trails of their services. */
  async recount(days: readonly ServiceDay[], context: ReadContext): Promise<void> {
    await this.#retention.look(context);
    await this.#recover([...days, ...(await this.#store.mark(days))], context);
  }

  async #inParts<Item>(
    changes: readonly Change<Item>[],
    context: ReadContext,
    apply: (book: DayBook, item: Item) => boolean,
    isRemoval = false,
  ): Promise<number> {
    let count = 0;
    for (const part of inParts(changes)) {
      context.signal.throwIfAborted();
      count += await this.#change(part, context, apply, isRemoval);
    }
    return count;
  }

  async #change<Item>(
    changes: readonly Change<Item>[],
    context: ReadContext,
    apply: (book: DayBook, item: Item) => boolean,
    isRemoval: boolean,
  ): Promise<number> {
    await this.#recover(await this.#store.mark(touchedDays(changes)), context, touchedDays(changes));
    const since = earliest(changes);
    const days = await this.#store.daysAround(touchedDays(changes), context);
    const recounts = this.#recounts(isRemoval ? wholeDays(since) : since, days);
    const book = new DayBook({ days, checks: await this.#store.checksOf(recounts, context), recounts });
    const count = changes.filter(({ item }) => apply(book, item)).length;
    if (count > 0) await this.#write(book, since, isRemoval, context);
    await this.#store.unmark(this.#undecided);
    return count;
  }

  /** Writes in this order. Until the trail is written, readers use their cached data. */
  async #write(book: DayBook, since: ReadonlyMap<string, Recount>, isRemoval: boolean, context: ReadContext): Promise<void> {
    await this.#store.writeChecks(book.changedChecks);
    await this.#store.deleteChecks(book.removedChecks);
    const days = book.count();
    await this.#store.writeDays(days);
    const serviceKeys = [...new Set([...since.values()].map(({ serviceKey }) => serviceKey))];
    const before = await this.#store.trails(serviceKeys, context);
    const trails = new Map<string, Trail | null>();
    for (const serviceKey of serviceKeys) {
      const own = <Value extends { readonly serviceKey: string }>(values: Iterable<Value>): Value[] =>
        [...values].filter((value) => value.serviceKey === serviceKey);
      const trail = before.get(serviceKey) ?? null;
      const sinceOf = Math.min(...own(since.values()).map(({ from }) => from));
      const counted = own([...days.values()].filter((day): day is StoredDay => day !== null));
      const stamp = this.#nextStamp();
      const change = { days: counted, checks: own(book.changedChecks), since: sinceOf, stamp };
      trails.set(
        serviceKey,
        trail === null || isRemoval ? await rebuiltTrail(this.#store, serviceKey, trail, stamp, context) : nextTrail(trail, change),
      );
    }
    await this.#store.writeTrails(trails);
  }

  /** Normally the time, but always greater than the stamp before. Otherwise readers could not tell a service whose checks were all removed and added again from the cached one. */
  #nextStamp(): number {
    this.#stamp = Math.max(this.#clock.now(), this.#stamp + 1);
    return this.#stamp;
  }

  async #recover(pending: readonly ServiceDay[], context: ReadContext, stillPending: readonly ServiceDay[] = []): Promise<void> {
    this.#undecided = pending.filter(({ day }) => this.#retention.isFrozen(day) && !this.#retention.isSurelyFrozen(day));
    const left = pending.filter((day) => !this.#undecided.includes(day));
    if (left.length === 0) return;
    const changes = left.map(({ serviceKey, day }): Change<null> => ({ serviceKey, day, since: day, item: null }));
    for (const part of inParts(changes)) {
      const since = earliest(part);
      const days = await this.#store.daysAround(touchedDays(part), context);
      const recounts = this.#recounts(wholeDays(since), days);
      const book = new DayBook({ days, checks: await this.#store.checksOf(recounts, context), recounts });
      await this.#write(book, wholeDays(since), true, context);
    }
    await this.#store.unmark([...stillPending, ...this.#undecided]);
  }

  /** The days that are counted again: those that change, and each stored day after one of them. A day that is not stored is counted from its start. */
  #recounts(since: ReadonlyMap<string, Recount>, days: ReadonlyMap<string, StoredDay>): Recount[] {
    const recounts = new Map<string, Recount>();
    for (const { serviceKey, day, from } of since.values()) {
      const id = dayId(serviceKey, day);
      const following = dayId(serviceKey, day + DAY);
      if (!recounts.has(id)) recounts.set(id, { serviceKey, day, from: days.has(id) && !since.has(dayId(serviceKey, day - DAY)) ? from : day });
      if (days.has(following) || since.has(following)) recounts.set(following, { serviceKey, day: day + DAY, from: day + DAY });
    }
    return [...recounts.values()].filter(({ day }) => !this.#retention.isFrozen(day));
  }
}

/** For each day, by id, the earliest time that changes. */
function earliest(changes: readonly Change<unknown>[]): ReadonlyMap<string, Recount> {
  const earliest = new Map<string, Recount>();
  for (const { serviceKey, day, since } of changes) {
    const id = dayId(serviceKey, day);
    earliest.set(id, { serviceKey, day, from: Math.min(earliest.get(id)?.from ?? Infinity, startOfHour(since)) });
  }
  return earliest;
}

function wholeDays(since: ReadonlyMap<string, Recount>): ReadonlyMap<string, Recount> {
  return new Map([...since].map(([id, recount]) => [id, { ...recount, from: recount.day }]));
}

function touchedDays(changes: readonly Change<unknown>[]): ServiceDay[] {
  return [...earliest(changes).values()].map(({ serviceKey, day }) => ({ serviceKey, day }));
}

/** Splits changes into parts that touch a limited number of days each. They are sorted by service and day, so that neighbouring days are in the same part. */
function inParts<Item>(changes: readonly Change<Item>[]): Change<Item>[][] {
  const byDay = new Map<string, Change<Item>[]>();
  for (const change of changes) {
    const id = dayId(change.serviceKey, change.day);
    const same = byDay.get(id);
    if (same === undefined) byDay.set(id, [change]);
    else same.push(change);
  }
  const days = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same);
  const parts: Change<Item>[][] = [];
  for (let start = 0; start < days.length; start += DAYS_AT_ONCE) parts.push(days.slice(start, start + DAYS_AT_ONCE).flat());
  return parts;
}
