import {
  Retention,
  sameValue,
  startOfDay,
  type ChangeSet,
  type Check,
  type CheckIdentity,
  type Clock,
  type ClockDoubt,
  type Instant,
  type ServiceDay,
  type StatusDay,
  type StoredRecord,
} from '@vitrine/core';
import { ServiceChecks } from './service-checks.js';

/** The checks of all services. */
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

  /** Returns whether the check was stored. */
  remove(identity: CheckIdentity, changed: ChangeSet): boolean {
    const isRemoved = this.#serviceOf(identity).remove(identity);
    if (isRemoved) changed.day('remove', 'check', { serviceKey: identity.serviceKey, day: startOfDay(identity.checkedAt) });
    return isRemoved;
  }

  /** Stores the counts of a day whose raw checks are not kept. */
  putTally(tally: StatusDay, changed: ChangeSet): 'stored' | 'unchanged' | 'open-day' {
    const { day } = tally;
    const service = this.#serviceOf(tally);
    if (!this.#mayHoldTally(service, day)) return 'open-day';
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

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  #mayHoldTally(service: ServiceChecks, day: Instant): boolean {
    this.#retention.look();
    return this.#retention.isSurelyFrozen(day) || (this.#retention.isFrozen(day) && !service.isOpen(day));
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
