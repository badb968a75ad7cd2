import {
  formatDate,
  parseDate,
  releaseIdKey,
  keyFor,
  nameOfRef,
  NO_REPOSITORY,
  type Check,
  type DayTally,
  type Instant,
  type RecordIdentity,
  type StoredRecord,
} from '@vitrine/core';
import { identityKeyOf } from '../records/record-place.js';

/**
 * The keys of a log: `r/<kind>/<key>` a record as JSON; `c/<service>/<date>` a day's checks; `t/<service>/<date>/<number>` checks of a day that are
 * not in its pack yet; `d/<service>/<date>` the counts of a frozen day as JSON. Service keys have no slash.
 */
export type LogKey = string;

/** Every kind that is kept as a record of its own. */
export type PlainRecord = Exclude<StoredRecord, Check | DayTally>;
export type PlainIdentity = Exclude<RecordIdentity, { readonly kind: 'check' | 'status-day' }>;

export function recordLogKey(kind: PlainRecord['kind'], key: string): LogKey {
  return `r/${kind}/${key}`;
}

/** The whole key of a record among its kind. */
export function plainKeyOf(record: PlainRecord): string {
  return record.kind === 'sync' ? record.id : identityKeyOf(record);
}

/** The same from what names a record. */
export function keyOfIdentity(identity: PlainIdentity): string {
  switch (identity.kind) {
    case 'repository':
      return identity.repositoryRef;
    case 'commit':
      return keyFor(`${nameOfRef(identity.repositoryRef)}@${identity.sha}`, identity.repositoryRef);
    case 'release':
      return keyFor(releaseIdKey(identity.id), identity.repositoryRef);
    case 'service':
      return identity.key;
    case 'news':
    case 'incident':
    case 'sync':
      return keyFor(identity.id, NO_REPOSITORY);
    default:
      return keyFor(identity.id, identity.repositoryRef);
  }
}

export function packLogKey(serviceKey: string, day: Instant): LogKey {
  return `c/${serviceKey}/${formatDate(day)}`;
}

export function tailLogKey(serviceKey: string, day: Instant, number: number): LogKey {
  return `t/${serviceKey}/${formatDate(day)}/${String(number).padStart(6, '0')}`;
}

export function dayLogKey(serviceKey: string, day: Instant): LogKey {
  return `d/${serviceKey}/${formatDate(day)}`;
}

/** What a `c/` or `t/` key names; `null` for a key that this version does not write. */
export function parseDayKey(key: LogKey): { readonly serviceKey: string; readonly day: Instant } | null {
  const [, serviceKey, date] = key.split('/');
  const day = date === undefined ? null : parseDate(date);
  return serviceKey === undefined || day === null ? null : { serviceKey, day };
}
