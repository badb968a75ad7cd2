import {
  compareDuplicates,
  countDay,
  DAY,
  NOTHING_CARRIED,
  reaches,
  startOfDay,
  withNewest,
  type Carry,
  type Check,
  type CheckIdentity,
  type Instant,
  type LatestState,
  type StatusDay,
} from '@vitrine/core';

/** All stored checks of one service: the raw checks of open days, and the counts of frozen days, whose raw checks are no longer kept. */
export class ServiceChecks {
  readonly #open = new Map<Instant, Map<string, Check>>();
  readonly #frozen = new Map<Instant, StatusDay>();
  /** The counts of all days, until something changes. */
  #counted: readonly StatusDay[] | null = null;

  constructor(readonly serviceKey: string) {}

  find(identity: CheckIdentity): Check | null {
    return this.#open.get(startOfDay(identity.checkedAt))?.get(momentOf(identity)) ?? null;
  }

  /** Returns whether the check is new, or replaces the stored one with the same time and source. */
  put(check: Check): boolean {
    const identity = { ...check, source: check.provenance.source };
    const stored = this.find(identity);
    if (stored !== null && compareDuplicates(check, stored) <= 0) return false;
    const day = startOfDay(check.checkedAt);
    const checks = this.#open.get(day) ?? new Map<string, Check>();
    this.#open.set(day, checks.set(momentOf(identity), check));
    this.#counted = null;
    return true;
  }

  /** Returns whether the check was stored. */
  remove(identity: CheckIdentity): boolean {
    const day = startOfDay(identity.checkedAt);
    const checks = this.#open.get(day);
    if (checks?.delete(momentOf(identity)) !== true) return false;
    if (checks.size === 0) this.#open.delete(day);
    this.#counted = null;
    return true;
  }

  isOpen(day: Instant): boolean {
    return this.#open.has(day);
  }

  frozen(day: Instant): StatusDay | null {
    return this.#frozen.get(day) ?? null;
  }

  /** Deletes the raw checks of a day, and keeps these counts instead. */
  freeze(counted: StatusDay): void {
    this.#open.delete(counted.day);
    this.#frozen.set(counted.day, counted);
    this.#counted = null;
  }

  /** Removes the counts of a frozen day. Returns whether it had any. */
  thaw(day: Instant): boolean {
    this.#counted = null;
    return this.#frozen.delete(day);
  }

  /** The counts of all days, oldest first, also of those without checks in which earlier ones are valid. */
  days(): readonly StatusDay[] {
    this.#counted ??= this.#count();
    return this.#counted;
  }

  /** Of each source the newest check up to a time; `null` if nothing is stored. */
  latestState(notAfter: Instant): LatestState | null {
    const times = this.days().flatMap(({ firstCheckedAt, lastCheckedAt }) =>
      firstCheckedAt === null ? [] : [firstCheckedAt, lastCheckedAt ?? firstCheckedAt],
    );
    const [first, last] = [times[0], times.at(-1)];
    if (first === undefined || last === undefined) return null;
    const sources = withNewest([], this.checksBetween(-Infinity, notAfter));
    return { serviceKey: this.serviceKey, firstCheckedAt: first, lastCheckedAt: last, sources };
  }

  /** The raw checks between two times, both included, in time order. */
  checksBetween(from: Instant, to: Instant): Check[] {
    const days = [...this.#open].filter(([day]) => day >= startOfDay(from) && day <= to);
    const checks = days.flatMap(([, one]) => [...one.values()]).filter(({ checkedAt }) => checkedAt >= from && checkedAt <= to);
    return checks.sort((a, b) => a.checkedAt - b.checkedAt);
  }

  #count(): readonly StatusDay[] {
    const days: StatusDay[] = [];
    const starts = [...this.#open.keys(), ...this.#frozen.keys()].sort((x, y) => x - y);
    const last = starts.at(-1) ?? -Infinity;
    let carry: Carry = NOTHING_CARRIED;
    for (let day = starts[0] ?? Infinity; day <= last || reaches(carry, day); day += DAY) {
      const checks = this.checksBetween(day, day + DAY - 1);
      const counted = this.#frozen.get(day) ?? countDay({ serviceKey: this.serviceKey, day }, checks, carry, null);
      if (counted !== null) days.push(counted);
      carry = counted ?? NOTHING_CARRIED;
    }
    return days;
  }
}

function momentOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}
