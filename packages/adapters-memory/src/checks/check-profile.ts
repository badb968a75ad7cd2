import type { Check, Instant, Provenance, ServiceState } from '@vitrine/core';

/** What many checks of one source have in common; a check is its profile, a time, a response time and when it was observed. */
export interface CheckProfile {
  readonly state: ServiceState;
  readonly rawState: string;
  readonly validForMs: number;
  readonly source: string;
  readonly sourceKind: string;
  readonly sourceUrl: string;
  readonly confidence: string;
  readonly isOfficialSource: boolean;
  /** Milliseconds from the check to the origin's publication; `null` where none is known. */
  readonly publishedAfterMs: number | null;
}

export function profileOf({ state, rawState, validForMs, checkedAt, provenance }: Check): CheckProfile {
  const { source, sourceKind, sourceUrl, confidence, isOfficialSource, publishedAt } = provenance;
  const publishedAfterMs = publishedAt === undefined ? null : publishedAt - checkedAt;
  return { state, rawState, validForMs, source, sourceKind, sourceUrl, confidence, isOfficialSource, publishedAfterMs };
}

export function provenanceOf(profile: CheckProfile, checkedAt: Instant, observedAt: Instant): Provenance {
  const { source, sourceKind, sourceUrl, confidence, isOfficialSource, publishedAfterMs } = profile;
  const publishedAt = publishedAfterMs === null ? {} : { publishedAt: checkedAt + publishedAfterMs };
  return { source, sourceKind, sourceUrl, observedAt, ...publishedAt, confidence, isOfficialSource };
}

/** Numbers the profiles, each once. Those that no check has any more stay: there are few of them. */
export class CheckProfiles {
  readonly #numbers = new Map<string, number>();
  readonly #profiles: CheckProfile[] = [];

  numberOf(profile: CheckProfile): number {
    const key = JSON.stringify(profile);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#profiles.length);
    return this.#profiles.push(profile) - 1;
  }

  at(number: number): CheckProfile {
    const profile = this.#profiles[number];
    if (profile === undefined) throw new RangeError(`no check profile ${String(number)}`);
    return profile;
  }
}
