import { startOfDay, type Check, type DayTally, type Instant } from '@vitrine/core';
import { CheckProfiles } from './check-profile.js';
import { DayChecks } from './day-checks.js';
import { ServiceChecks } from './service-checks.js';

/** The checks of all services. */
export class CheckIndex {
  readonly profiles = new CheckProfiles();
  readonly #retentionMs: number;
  readonly #services = new Map<string, ServiceChecks>();

  constructor(retentionMs: number) {
    this.#retentionMs = retentionMs;
  }

  /** Whether the raw checks of a day are no longer kept. */
  isFrozen(day: Instant, now: Instant): boolean {
    return day < now - this.#retentionMs;
  }

  service(key: string): ServiceChecks | null {
    return this.#services.get(key) ?? null;
  }

  services(): IterableIterator<ServiceChecks> {
    return this.#services.values();
  }

  /** A copy of a day's checks that may be changed; empty if the day has none. */
  copyOfDay(serviceKey: string, day: Instant): DayChecks {
    return this.service(serviceKey)?.openDay(day)?.copy() ?? new DayChecks(serviceKey, day, this.profiles);
  }

  find(serviceKey: string, checkedAt: Instant, source: string): Check | null {
    const checks = this.service(serviceKey)?.openDay(startOfDay(checkedAt));
    const index = checks?.find(checkedAt, source) ?? -1;
    return checks === undefined || checks === null || index < 0 ? null : checks.checkAt(index);
  }

  setDay(checks: DayChecks, changed: readonly Check[]): void {
    this.#serviceOf(checks.serviceKey).setDay(checks, changed);
  }

  /** Adds a day from the log. */
  load(checks: DayChecks): void {
    this.#serviceOf(checks.serviceKey).loadDay(checks);
  }

  setDayWithout(checks: DayChecks, removed: readonly Check[]): void {
    const service = this.#serviceOf(checks.serviceKey);
    service.setDayWithout(checks, removed);
    this.#forgetEmpty(service);
  }

  freeze(tally: DayTally): void {
    this.#serviceOf(tally.serviceKey).freeze(tally);
  }

  thaw(serviceKey: string, day: Instant): void {
    const service = this.service(serviceKey);
    service?.thaw(day);
    if (service !== null) this.#forgetEmpty(service);
  }

  /** The time of the newest check up to a given time; `null` if there is none. */
  newestUntil(instant: Instant): Instant | null {
    const times = [...this.#services.values()].flatMap((service) => service.newestUntil(instant) ?? []);
    return times.length === 0 ? null : times.reduce((newest, time) => Math.max(newest, time));
  }

  /** The days that must be frozen now. */
  overdue(now: Instant): DayChecks[] {
    return [...this.#services.values()].flatMap((service) => service.openDaysBefore(now - this.#retentionMs));
  }

  #serviceOf(key: string): ServiceChecks {
    let service = this.#services.get(key);
    if (service === undefined) this.#services.set(key, (service = new ServiceChecks(key)));
    return service;
  }

  #forgetEmpty(service: ServiceChecks): void {
    if (service.days.length === 0) this.#services.delete(service.serviceKey);
  }
}
