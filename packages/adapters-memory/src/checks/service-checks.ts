import { DAY, type Check, type DayTally, type Instant } from '@vitrine/core';
import type { CheckProfile } from './check-profile.js';
import type { DayChecks } from './day-checks.js';
import { DayTallies } from './day-tallies.js';
import { SortedDays } from './sorted-days.js';
import { SourceTrails } from './source-trails.js';

/** All stored checks of one service: raw checks by day, the counts of frozen days, and the data derived from them. */
export class ServiceChecks {
  readonly serviceKey: string;
  readonly days = new SortedDays();
  readonly trails: SourceTrails;
  readonly tallies: DayTallies;
  readonly #open = new Map<Instant, DayChecks>();

  constructor(serviceKey: string) {
    this.serviceKey = serviceKey;
    this.trails = new SourceTrails((source, test) => this.#findNewest(source, test));
    this.tallies = new DayTallies(serviceKey, this.days, (day) => this.#open.get(day) ?? null);
  }

  /** The raw checks of a day; `null` if it has none or is frozen. */
  openDay(day: Instant): DayChecks | null {
    return this.#open.get(day) ?? null;
  }

  /** Replaces the checks of a day. @param changed the new and changed checks among them */
  setDay(checks: DayChecks, changed: readonly Check[]): void {
    this.#open.set(checks.day, checks);
    this.days.add(checks.day);
    this.tallies.changed(checks.day, earliestOf(changed));
    for (const check of changed) this.trails.stored(check);
  }

  /** Adds a day from the log. The newest checks of each source are determined from it. */
  loadDay(checks: DayChecks): void {
    const seen = new Set<CheckProfile>();
    const newest: Check[] = [];
    for (let index = checks.length - 1; index >= 0; index--) {
      const profile = checks.profileAt(index);
      if (!seen.has(profile)) newest.push(checks.checkAt(index));
      seen.add(profile);
    }
    this.setDay(checks, newest);
    this.tallies.changed(checks.day, checks.day);
  }

  /** Replaces the checks of a day after some were removed. */
  setDayWithout(checks: DayChecks, removed: readonly Check[]): void {
    if (checks.length > 0) this.#open.set(checks.day, checks);
    else {
      this.#open.delete(checks.day);
      this.days.remove(checks.day);
    }
    this.tallies.changed(checks.day, earliestOf(removed));
    for (const check of removed) this.trails.removed(check);
  }

  freeze(tally: DayTally): void {
    this.#open.delete(tally.day);
    this.days.add(tally.day);
    this.tallies.freeze(tally);
    this.trails.forgetBefore(tally.day + DAY);
  }

  thaw(day: Instant): void {
    if (this.tallies.frozen(day) === null) return;
    this.days.remove(day);
    this.tallies.thaw(day);
  }

  /** The open days that start before a time, oldest first. */
  openDaysBefore(instant: Instant): DayChecks[] {
    const days: DayChecks[] = [];
    for (let i = 0; i < this.days.length && this.days.at(i) < instant; i++) {
      const checks = this.#open.get(this.days.at(i));
      if (checks !== undefined) days.push(checks);
    }
    return days;
  }

  /** The time of the newest check up to a given time; `null` if there is none. */
  newestUntil(instant: Instant): Instant | null {
    for (let i = this.days.length - 1; i >= 0; i--) {
      const time = this.#newestOfDay(this.days.at(i), instant);
      if (time !== null && time <= instant) return time;
    }
    return null;
  }

  /** Of a frozen day, only the time of its last check is known. */
  #newestOfDay(day: Instant, instant: Instant): Instant | null {
    const checks = this.openDay(day);
    if (checks === null) return this.tallies.frozen(day)?.lastCheckedAt ?? null;
    const count = checks.countBefore(instant + 1);
    return count === 0 ? null : checks.timeAt(count - 1);
  }

  #findNewest(source: string, test: (check: Check) => boolean): Check | null {
    for (let i = this.days.length - 1; i >= 0; i--) {
      const checks = this.#open.get(this.days.at(i));
      if (checks === undefined) return null;
      for (let index = checks.length - 1; index >= 0; index--) {
        if (checks.profileAt(index).source !== source) continue;
        const check = checks.checkAt(index);
        if (test(check)) return check;
      }
    }
    return null;
  }
}

function earliestOf(checks: readonly Check[]): Instant {
  return checks.reduce((earliest, { checkedAt }) => Math.min(earliest, checkedAt), Infinity);
}
