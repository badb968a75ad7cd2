import { compareDuplicates, compareText, DAY, sameValue, type Check, type DayTally, type Instant } from '@vitrine/core';
import { checkDocument, checkId, checkOf } from './check-document.js';
import { BadValue } from '../documents/codec.js';
import { countDay, NEVER, type ServiceDay } from './count-day.js';
import { dayId, tallyOfDay, type StoredDay } from './day-document.js';

/** A day that is counted again from the start of an hour. */
export interface Recount extends ServiceDay {
  readonly from: Instant;
}

/** The data that a change of days needs: the stored days and their neighbours, and the raw checks of the hours that are counted again. */
export interface DayBookContent {
  readonly days: ReadonlyMap<string, StoredDay>;
  readonly checks: readonly Check[];
  readonly recounts: readonly Recount[];
}

/** Days whose checks are changed in memory and counted again. A check that was put counts as stored for the following ones. */
export class DayBook {
  readonly #days: Map<string, StoredDay>;
  readonly #recounts: readonly Recount[];
  readonly #checks: ReadonlyMap<string, Map<string, Check>>;
  readonly #changed = new Map<string, Check>();
  readonly #removed = new Set<string>();
  readonly #replaced = new Set<string>();

  constructor({ days, checks, recounts }: DayBookContent) {
    this.#days = new Map(days);
    this.#recounts = [...recounts].sort((a, b) => compareText(a.serviceKey, b.serviceKey) || a.day - b.day);
    this.#checks = new Map(recounts.map(({ serviceKey, day }) => [dayId(serviceKey, day), new Map()]));
    for (const check of checks) this.#of(check)?.set(idOf(check), check);
  }

  /** Returns whether the check is new, or replaces the stored one with the same time and source. */
  put(given: Check): boolean {
    const check = asStored(given);
    const id = idOf(check);
    const stored = this.#of(check)?.get(id);
    if (stored !== undefined && compareDuplicates(check, stored) <= 0) return false;
    this.#of(check)?.set(id, check);
    this.#changed.set(id, check);
    return true;
  }

  remove(id: string, serviceKey: string, checkedAt: Instant): boolean {
    if (this.#checks.get(dayId(serviceKey, checkedAt))?.delete(id) !== true) return false;
    this.#removed.add(id);
    return true;
  }

  /** Replaces the counts of a day whose raw checks are not kept. Returns whether they differ from the stored ones. */
  putTally(tally: DayTally): boolean {
    const id = dayId(tally.serviceKey, tally.day);
    const stored = this.#days.get(id);
    if (stored !== undefined && sameValue(tallyOfDay(stored), tallyOfDay(tally))) return false;
    this.#days.set(id, { ...tallyOfDay(tally), sources: [], hours: [] });
    this.#replaced.add(id);
    return true;
  }

  removeTally({ serviceKey, day }: ServiceDay): boolean {
    const id = dayId(serviceKey, day);
    if (this.#days.delete(id)) this.#replaced.add(id);
    return this.#replaced.has(id);
  }

  /** Counts all days that must be counted again. Returns those that differ from the stored ones; `null` for a day without checks. */
  count(): ReadonlyMap<string, StoredDay | null> {
    const changes = new Map([...this.#replaced].map((id) => [id, this.#days.get(id) ?? null]));
    for (const recount of this.#recounts) {
      const id = dayId(recount.serviceKey, recount.day);
      const stored = this.#days.get(id) ?? null;
      const counted = this.#count(recount, stored);
      if (sameValue(counted, stored)) continue;
      changes.set(id, counted);
      if (counted === null) this.#days.delete(id);
      else this.#days.set(id, counted);
    }
    return changes;
  }

  /** The checks that must be written. */
  get changedChecks(): readonly Check[] {
    return [...this.#changed.values()];
  }

  /** The ids of the checks that must be deleted. */
  get removedChecks(): readonly string[] {
    return [...this.#removed];
  }

  #count({ serviceKey, day, from }: Recount, stored: StoredDay | null): StoredDay | null {
    const checks = [...(this.#checks.get(dayId(serviceKey, day))?.values() ?? [])].sort((a, b) => a.checkedAt - b.checkedAt);
    const coveredBefore = this.#days.get(dayId(serviceKey, day - DAY))?.coveredUntil ?? NEVER;
    return countDay({ serviceKey, day }, checks, coveredBefore, stored === null || from === day ? null : { stored, from });
  }

  #of({ serviceKey, checkedAt }: Check): Map<string, Check> | undefined {
    return this.#checks.get(dayId(serviceKey, checkedAt));
  }
}

function idOf({ serviceKey, checkedAt, provenance }: Check): string {
  return checkId(serviceKey, checkedAt, provenance.source);
}

/** The check as it would be read back, so that it can be compared with stored checks. */
function asStored(check: Check): Check {
  const stored = checkOf(checkDocument(check));
  return stored instanceof BadValue ? check : stored;
}
