import { keyFor, releaseIdKey } from './record-key.js';
import type { RecordIdentity, StoredRecord } from './record.js';
import { nameOfRef, NO_REPOSITORY } from './repositories/repository-name.js';
import type { Check } from './status/check.js';
import type { DayTally } from './status/day-tally.js';

/** Every kind that is kept as a record of its own; checks and their counts are kept by service and day. */
export type PlainRecord = Exclude<StoredRecord, Check | DayTally>;
export type PlainIdentity = Exclude<RecordIdentity, { readonly kind: 'check' | 'status-day' }>;

/** The whole key of a record among its kind, from the record or from what names it. */
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
