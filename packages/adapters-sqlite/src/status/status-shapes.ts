import { SERVICE_STATES, type Check, type CountedDay, type HourTally, type Instant, type LatestState, type Provenance } from '@vitrine/core';
import { fitsOf, type ObjectShape } from '../records/shape.js';

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
const tally = {
  counts: { operational: number, degraded: number, outage: number, maintenance: number, unknown: number },
  coveredMs: number,
  latency: { buckets: [[number]], max: number },
} as const;
const hour: ObjectShape<HourTally> = { ...tally, hour: number, coveredUntil: number };

const isHour = fitsOf<HourTally>(hour);
const hasProfileFields = fitsOf<Profile>({
  state: text,
  rawState: text,
  validForMs: number,
  provenance: { source: text, sourceKind: text, sourceUrl: text, confidence: text, isOfficialSource: 'boolean' },
  publishedAfterMs: numberOrNull,
});

const row = [numberOrNull] as const;
const hasLatestFields = fitsOf<Omit<StoredLatest, 'hour'>>({
  serviceKey: text,
  firstCheckedAt: number,
  lastCheckedAt: number,
  coveredUntil: number,
  sources: [{ newest: row, known: [numberOrNull, '?'] }],
});

export const isCountedDay = fitsOf<CountedDay>({
  ...tally,
  kind: text,
  serviceKey: text,
  day: number,
  firstCheckedAt: number,
  lastCheckedAt: number,
  coveredUntil: number,
  sources: [{ source: text, newestAt: number, knownAt: numberOrNull }],
  hours: [hour],
});

export function isProfile(value: unknown): value is Profile {
  return hasProfileFields(value) && SERVICE_STATES.includes(value.state);
}

export function isLatest(value: unknown): value is StoredLatest {
  return hasLatestFields(value) && 'hour' in value && (value.hour === null || isHour(value.hour));
}

export function areLatest(value: unknown): value is readonly StoredLatest[] {
  return Array.isArray(value) && value.every(isLatest);
}

export function checkRowOf([time, profile, response, observed]: readonly unknown[]): CheckRow | null {
  const isRow = typeof time === 'number' && typeof profile === 'number' && typeof observed === 'number';
  return isRow && (response === null || typeof response === 'number') ? [time, profile, response, observed] : null;
}
