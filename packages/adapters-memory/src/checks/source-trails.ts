import { countedAt, type Check, type Instant } from '@vitrine/core';

interface Trail {
  readonly newest: Check;
  readonly newestKnown: Check | null;
}

/** Finds a source's newest stored check that passes the test. It walks through the checks, so it is used only if a clock is ahead or a check was removed. */
export type FindNewest = (source: string, test: (check: Check) => boolean) => Check | null;

/** For each source of one service: its newest check, and its newest check that is not `unknown`. */
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
    // A check may replace an `unknown` duplicate, but an `unknown` check never replaces a known one.
    const newestKnown = check.state === 'unknown' ? (before?.newestKnown ?? null) : newerOf(before?.newestKnown ?? null, check);
    this.#trails.set(source, { newest, newestKnown });
  }

  removed(check: Check): void {
    const { source } = check.provenance;
    const newest = this.#findNewest(source, () => true);
    if (newest === null) this.#trails.delete(source);
    else this.#trails.set(source, { newest, newestKnown: this.#findNewest(source, isKnown) });
  }

  /** Drops older checks, because their raw checks were deleted. */
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

/** The later check. If both have the same time, the one that was stored last, because it replaced the other. */
function newerOf(before: Check | null, check: Check): Check {
  return before !== null && before.checkedAt > check.checkedAt ? before : check;
}
