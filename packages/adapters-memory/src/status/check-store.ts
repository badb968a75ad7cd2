import { compareDuplicates, countDay, DAY, momentOf, NOTHING_CARRIED, reaches, Retention, sameValue, startOfDay, withNewest } from '@vitrine/core';
import type {
  Carry,
  ChangeSet,
  Check,
  CheckIdentity,
  Clock,
  ClockDoubt,
  Instant,
  LatestState,
  ServiceDay,
  StatusDay,
  StoredRecord,
} from '@vitrine/core';

export class CheckStore {
  readonly #retention: Retention;
  readonly #services = new Map<string, ServiceChecks>();

  constructor(clock: Clock, retentionMs: number, onClockDoubt?: (doubt: ClockDoubt) => void) {
    this.#retention = new Retention(retentionMs, () => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
    this.#retention.start({ newest: null, dayOld: null });
  }

  service(serviceKey: string): ServiceChecks | null {
    return this.#services.get(serviceKey) ?? null;
  }

  services(): Iterable<ServiceChecks> {
    return this.#services.values();
  }

  put(check: Check, changed: ChangeSet): 'stored' | 'unchanged' | 'frozen-day' {
    const day = startOfDay(check.checkedAt);
    const service = this.#serviceOf(check);
    this.#retention.look();
    // If the clock was set back, a frozen day must stay frozen.
    if (this.#retention.isFrozen(day) || service.frozen(day) !== null) return 'frozen-day';
    if (!service.put(check)) return 'unchanged';
    changed.day('put', 'check', { serviceKey: check.serviceKey, day });
    return 'stored';
  }

  remove(identity: CheckIdentity, changed: ChangeSet): boolean {
    const isRemoved = this.#serviceOf(identity).remove(identity);
    if (isRemoved) changed.day('remove', 'check', { serviceKey: identity.serviceKey, day: startOfDay(identity.checkedAt) });
    return isRemoved;
  }

  /** Stores the counts of a day whose raw checks are not kept. */
  putTally(tally: StatusDay, changed: ChangeSet): 'stored' | 'unchanged' | 'open-day' {
    const { day } = tally;
    const service = this.#serviceOf(tally);
    this.#retention.look();
    // Imported counts may replace a day only if it has no raw checks, or if they are certainly older than the retention.
    if (!this.#retention.isSurelyFrozen(day) && (!this.#retention.isFrozen(day) || service.isOpen(day))) return 'open-day';
    const [counts, stored] = [withoutHours(tally), service.frozen(day)];
    if (stored !== null && sameValue(withoutHours(stored), counts)) return 'unchanged';
    changed.day('put', 'status-day', tally);
    if (service.isOpen(day)) changed.day('remove', 'check', tally);
    service.freeze(counts);
    return 'stored';
  }

  /** Returns whether the day had counts without raw checks. */
  removeTally(day: ServiceDay, changed: ChangeSet): boolean {
    const isRemoved = this.#serviceOf(day).thaw(day.day);
    if (isRemoved) changed.day('remove', 'status-day', day);
    return isRemoved;
  }

  /** Deletes raw checks that are certainly older than the retention, and keeps the counts of their days. */
  freezeOverdue(): void {
    this.#retention.look();
    for (const service of this.#services.values()) {
      for (const counted of service.days()) {
        if (!this.#retention.isSurelyFrozen(counted.day)) break;
        if (service.isOpen(counted.day)) service.freeze(counted);
      }
    }
  }

  /** All raw checks, and the counts of days that are too old for them. */
  records(): readonly StoredRecord[] {
    this.#retention.look();
    const isExported = ({ day, firstCheckedAt }: StatusDay, service: ServiceChecks): boolean =>
      firstCheckedAt !== null && (!service.isOpen(day) || this.#retention.isFrozen(day));
    return [...this.#services.values()].flatMap((service) => [
      // While the clock is in doubt, such a day may still have its raw checks. An import takes the counts or the raw checks, as its own clock requires.
      ...service.days().flatMap((day) => (isExported(day, service) ? [withoutHours(day)] : [])),
      ...service.checksBetween(-Infinity, Infinity),
    ]);
  }

  #serviceOf({ serviceKey }: Pick<ServiceDay, 'serviceKey'>): ServiceChecks {
    const service = this.#services.get(serviceKey) ?? new ServiceChecks(serviceKey);
    this.#services.set(serviceKey, service);
    return service;
  }
}

/** A record of a day has no hours. */
function withoutHours(day: StatusDay): StatusDay {
  return { ...day, hours: [] };
}

/** All stored checks of one service: the raw checks of open days, and the counts of frozen days, whose raw checks are no longer kept. */
export class ServiceChecks {
  readonly #open = new Map<Instant, Map<string, Check>>();
  readonly #frozen = new Map<Instant, StatusDay>();
  /** The counts of all days, until something changes. */
  #counted: readonly StatusDay[] | null = null;

  constructor(readonly serviceKey: string) {}

  /** Returns whether the check is new, or replaces the stored one with the same time and source. */
  put(check: Check): boolean {
    const [day, moment] = [startOfDay(check.checkedAt), momentOf({ ...check, source: check.provenance.source })];
    const checks = this.#open.get(day) ?? new Map<string, Check>();
    const stored = checks.get(moment);
    if (stored !== undefined && compareDuplicates(check, stored) <= 0) return false;
    this.#open.set(day, checks.set(moment, check));
    this.#counted = null;
    return true;
  }

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
