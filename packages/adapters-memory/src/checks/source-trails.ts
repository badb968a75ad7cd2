import { countedAt, type Check, type Instant } from '@vitrine/core';

interface Trail {
  readonly newest: Check;
  readonly newestKnown: Check | null;
}

/** Finds a source's newest stored check that fulfils the test; a walk, needed only where a clock runs ahead or a check was removed. */
export type FindNewest = (source: string, test: (check: Check) => boolean) => Check | null;

/** Of each source of one service the newest check, and the newest that was not unknown. */
export class SourceTrails {
  readonly #trails = new Map<string, Trail>();
  readonly #findNewest: FindNewest;

  constructor(findNewest: FindNewest) {
    this.#findNewest = findNewest;
  }

  stored(check: Check): void {
    const { source } = check.provenance;
    const before = this.#trails.get(source);
    const newest = newerOf(before?.newest ?? null, check);
    // A check may replace a duplicate that was known by one that is not, but never the other way round: rated ones stand.
    const newestKnown = check.state === 'unknown' ? (before?.newestKnown ?? null) : newerOf(before?.newestKnown ?? null, check);
    this.#trails.set(source, { newest, newestKnown });
  }

  removed(check: Check): void {
    const { source } = check.provenance;
    const newest = this.#findNewest(source, () => true);
    if (newest === null) this.#trails.delete(source);
    else this.#trails.set(source, { newest, newestKnown: this.#findNewest(source, isKnown) });
  }

  /** Forgets what is older: those raw checks are gone. */
  forgetBefore(instant: Instant): void {
    for (const [source, { newest, newestKnown }] of this.#trails) {
      if (newest.checkedAt < instant) this.#trails.delete(source);
      else if (newestKnown !== null && newestKnown.checkedAt < instant) this.#trails.set(source, { newest, newestKnown: null });
    }
  }

  newest(now: Instant): Check[] {
    return [...this.#trails].flatMap(([source, { newest }]) => this.#counted(source, newest, now, () => true) ?? []);
  }

  newestKnown(now: Instant): Check[] {
    return [...this.#trails].flatMap(([source, { newestKnown }]) => this.#counted(source, newestKnown, now, isKnown) ?? []);
  }

  #counted(source: string, check: Check | null, now: Instant, test: (check: Check) => boolean): Check | null {
    if (check === null || countedAt(check.checkedAt, now) !== null) return check;
    return this.#findNewest(source, (other) => countedAt(other.checkedAt, now) !== null && test(other));
  }
}

function isKnown(check: Check): boolean {
  return check.state !== 'unknown';
}

/** The later one; of two at one time the one stored last, which is the one that stands. */
function newerOf(before: Check | null, check: Check): Check {
  return before !== null && before.checkedAt > check.checkedAt ? before : check;
}
