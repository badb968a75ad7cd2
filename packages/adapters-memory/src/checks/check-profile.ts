import { publishableRecord, type Check, type Instant, type Provenance, type ServiceState, type UnpublishableReason } from '@vitrine/core';

/** The values that many checks of one source share. A check is a profile number, a time, a response time and the time of observation. */
export interface CheckProfile {
  readonly state: ServiceState;
  readonly rawState: string;
  readonly validForMs: number;
  readonly source: string;
  readonly sourceKind: string;
  readonly sourceUrl: string;
  readonly confidence: string;
  readonly isOfficialSource: boolean;
  /** Milliseconds from the check to the time of publication at the origin; `null` if that is unknown. */
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

/** The profile in the form that may be published, or the reason why it must not be published. */
export function publishableProfile(profile: CheckProfile): CheckProfile | UnpublishableReason {
  const { state, rawState, validForMs } = profile;
  const facts = { serviceKey: '', checkedAt: 0, responseTimeMs: null } as const;
  const check: Check = { kind: 'check', state, rawState, validForMs, ...facts, provenance: provenanceOf(profile, 0, 0) };
  const published = publishableRecord(check);
  if (typeof published === 'string') return published;
  return published === check ? profile : profileOf(published);
}

/** Numbers the distinct profiles. Profiles that no check uses any more stay, because they are few. */
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
