import { publishableRecord, type Check, type Instant, type Provenance, type ServiceState, type UnpublishableReason } from '@vitrine/core';

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

/** The profile as its checks may be published, or why they may not. */
export function publishableProfile(profile: CheckProfile): CheckProfile | UnpublishableReason {
  const { state, rawState, validForMs } = profile;
  const facts = { serviceKey: '', checkedAt: 0, responseTimeMs: null } as const;
  const check: Check = { kind: 'check', state, rawState, validForMs, ...facts, provenance: provenanceOf(profile, 0, 0) };
  const published = publishableRecord(check);
  if (typeof published === 'string') return published;
  return published === check ? profile : profileOf(published);
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
