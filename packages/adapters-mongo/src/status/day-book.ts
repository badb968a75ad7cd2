import { compareDuplicates, compareText, DAY, sameValue, type Check, type DayTally, type Instant } from '@vitrine/core';
import { checkDocument, checkId, checkOf } from './check-document.js';
import { BadValue } from '../documents/codec.js';
import { countDay, NEVER, type ServiceDay } from './count-day.js';
import { dayId, tallyOfDay, type StoredDay } from './day-document.js';

/** A day that is counted again, from the start of some hour on. */
export interface Recount extends ServiceDay {
  readonly from: Instant;
}

/** What a change of days needs to know: the days and their neighbours as they are stored, and the raw checks of what is counted again. */
export interface DayBookContent {
  readonly days: ReadonlyMap<string, StoredDay>;
  readonly checks: readonly Check[];
  readonly recounts: readonly Recount[];
}

/** Days whose checks are changed in memory, and counted again. What was put counts as stored for what comes after it. */
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

  /** Whether the check is new, or stands against the one stored for its time and source. */
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

  /** Takes the counts of a day whose checks are not kept; whether they differ from those stored. */
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

  /** Counts all days again that have to be; resolves to those that differ from what is stored, `null` for one that holds no check. */
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

  /** The checks that have to be written. */
  get changedChecks(): readonly Check[] {
    return [...this.#changed.values()];
  }

  /** The ids of the checks that have to be deleted. */
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

/** The check as it is read back, so that it is compared with stored ones by the same texts. */
function asStored(check: Check): Check {
  const stored = checkOf(checkDocument(check));
  return stored instanceof BadValue ? check : stored;
}
