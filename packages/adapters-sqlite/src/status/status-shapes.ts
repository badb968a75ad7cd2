import { SERVICE_STATES, type Check, type Instant, type LatestState, type Provenance } from '@vitrine/core';
import { fitsOf } from '../records/shape.js';

/** A stored check: time, profile, response time, time of observation. */
export type CheckRow = readonly [time: Instant, profile: number, response: number | null, observed: Instant];

/** The values that many checks of one source share. */
export interface Profile extends Pick<Check, 'state' | 'rawState' | 'validForMs'> {
  readonly provenance: Omit<Provenance, 'observedAt' | 'publishedAt'>;
  /** Milliseconds from the check to the time of publication at the origin; `null` if that is unknown. */
  readonly publishedAfterMs: number | null;
}

/** A latest state whose checks are rows. */
export type StoredLatest = Omit<LatestState, 'sources'> & {
  readonly sources: readonly { readonly newest: CheckRow; readonly known: CheckRow | null }[];
};

const [text, number, numberOrNull] = ['string', 'number', 'number?'] as const;

const hasProfileFields = fitsOf<Profile>({
  state: text,
  rawState: text,
  validForMs: number,
  provenance: { source: text, sourceKind: text, sourceUrl: text, confidence: text, isOfficialSource: 'boolean' },
  publishedAfterMs: numberOrNull,
});

const row = [numberOrNull] as const;

export const isLatest = fitsOf<StoredLatest>({
  serviceKey: text,
  firstCheckedAt: number,
  lastCheckedAt: number,
  sources: [{ newest: row, known: [numberOrNull, '?'] }],
});

export function isProfile(value: unknown): value is Profile {
  return hasProfileFields(value) && SERVICE_STATES.includes(value.state);
}

export function areLatest(value: unknown): value is readonly StoredLatest[] {
  return Array.isArray(value) && value.every(isLatest);
}

export function checkRowOf([time, profile, response, observed]: readonly unknown[]): CheckRow | null {
  const isRow = typeof time === 'number' && typeof profile === 'number' && typeof observed === 'number';
  return isRow && (response === null || typeof response === 'number') ? [time, profile, response, observed] : null;
}
