import {
  compareDuplicates,
  countDay,
  DAY,
  LatestStateRebuild,
  NEVER_COVERED,
  startOfDay,
  type Check,
  type CheckIdentity,
  type CountedDay,
  type Instant,
  type LatestState,
  type NewestOfSource,
} from '@vitrine/core';

/** All stored checks of one service: the raw checks of open days, and the counts of frozen days, whose raw checks are no longer kept. */
export class ServiceChecks {
  readonly #open = new Map<Instant, Map<string, Check>>();
  readonly #frozen = new Map<Instant, CountedDay>();
  /** The counts of open days, until a check changes them. */
  readonly #counted = new Map<Instant, CountedDay>();

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
    this.#changed(day);
    return true;
  }

  /** Returns whether the check was stored. */
  remove(identity: CheckIdentity): boolean {
    const day = startOfDay(identity.checkedAt);
    const checks = this.#open.get(day);
    if (checks?.delete(momentOf(identity)) !== true) return false;
    if (checks.size === 0) this.#open.delete(day);
    this.#changed(day);
    return true;
  }

  isOpen(day: Instant): boolean {
    return this.#open.has(day);
  }

  frozen(day: Instant): CountedDay | null {
    return this.#frozen.get(day) ?? null;
  }

  /** Deletes the raw checks of a day, and keeps these counts instead. */
  freeze(counted: CountedDay): void {
    this.#open.delete(counted.day);
    this.#frozen.set(counted.day, counted);
    this.#changed(counted.day);
  }

  /** Removes the counts of a frozen day. Returns whether it had any. */
  thaw(day: Instant): boolean {
    this.#changed(day);
    return this.#frozen.delete(day);
  }

  /** The counts of all days, oldest first. */
  days(): readonly CountedDay[] {
    const days: CountedDay[] = [];
    for (const start of [...this.#open.keys(), ...this.#frozen.keys()].sort((a, b) => a - b)) {
      const before = days.at(-1);
      const counted = this.#frozen.get(start) ?? this.#counted.get(start) ?? this.#count(start, before);
      if (counted !== null) days.push(counted);
    }
    return days;
  }

  /** `null` if nothing is stored. */
  latestState(): LatestState | null {
    const rebuild = new LatestStateRebuild();
    for (const day of this.days()) rebuild.add(day);
    const newest = rebuild.newestChecks.flatMap((identity) => this.find(identity) ?? []);
    return rebuild.latestState(rebuild.last, newest);
  }

  /** The raw checks between two times, both included, in time order. */
  checksBetween(from: Instant, to: Instant): Check[] {
    const days = [...this.#open].filter(([day]) => day >= startOfDay(from) && day <= to);
    const checks = days.flatMap(([, one]) => [...one.values()]).filter(({ checkedAt }) => checkedAt >= from && checkedAt <= to);
    return checks.sort((a, b) => a.checkedAt - b.checkedAt);
  }

  /** The newest check of a source up to a time; `null` if there is none. */
  newestOf({ source, isKnown }: NewestOfSource, latest: Instant): Check | null {
    const isAsked = ({ provenance, state }: Check): boolean => provenance.source === source && !(isKnown && state === 'unknown');
    return this.checksBetween(-Infinity, latest).findLast(isAsked) ?? null;
  }

  #count(day: Instant, before: CountedDay | undefined): CountedDay | null {
    const coveredBefore = before?.coveredUntil ?? NEVER_COVERED;
    const counted = countDay({ serviceKey: this.serviceKey, day }, this.checksBetween(day, day + DAY - 1), coveredBefore, null);
    if (counted !== null) this.#counted.set(day, counted);
    return counted;
  }

  /** A check may be valid for many days. */
  #changed(day: Instant): void {
    for (const counted of this.#counted.keys()) if (counted >= day) this.#counted.delete(counted);
  }
}

function momentOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}
