import { keyFor, releaseIdKey } from './record-key.js';
import type { RecordIdentity, StoredRecord } from './record.js';
import { nameOfRef, NO_REPOSITORY } from './repositories/repository-name.js';
import type { Check } from './status/check.js';
import type { StatusDay } from './status/status-day.js';

/** Every kind that is stored as separate records. Checks and daily counts are stored by service and day instead. */
export type PlainRecord = Exclude<StoredRecord, Check | StatusDay>;
export type PlainIdentity = Exclude<RecordIdentity, { readonly kind: 'check' | 'status-day' }>;

/** The key of a record, unique within its kind. Accepts the record or its identity. */
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
