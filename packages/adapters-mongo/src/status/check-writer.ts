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

/** Days that are changed together: as many as bound the raw checks in memory. */
const DAYS_AT_ONCE = 128;

/** One of the records that are put. */
interface CheckItem {
  /** Its index among them. */
  readonly index: number;
  readonly record: Check | DayTally;
}

/** What one item changes. */
interface Change<Item> extends ServiceDay {
  readonly item: Item;
  readonly since: Instant;
}

/**
 * Writes checks and keeps the counts of their days. Days are marked before their checks are written and lose the mark when all that is derived is
 * written too, so that what a writer leaves behind that dies in between is counted again by the next one.
 */
export class CheckWriter {
  readonly #store: StatusStore;
  readonly #clock: Clock;
  readonly #retention: Retention;
  /** Days that stay marked: whether they can still be counted from their raw checks shows when the clock is believed again. */
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

  /** A tally takes the place of raw checks, so there must be none, or they must be too old for certain. */
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

  /** Counts again what a writer left behind that did not come to its end. */
  async settle(context: ReadContext): Promise<void> {
    await this.#retention.look(context);
    await this.#recover(await this.#store.pending(context), context);
  }

  /** Counts whole days again from their raw checks, and makes the trails of their services anew. */
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

  /** In this order: until the trail is written, readers keep what they know. */
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

  /** The time, unless the clock stands or was set back: a service whose checks are all removed and put again is not the one that readers remember. */
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

  /** The days that are counted again: those that change, and each stored day that follows one. A day that is not stored is counted from its start. */
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

/** From when on each day changes, by its id. */
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

/** Parts that touch so many days at most, in the order of services and days, so that neighbours stand together. */
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
