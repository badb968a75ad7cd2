import type { News } from './content/news.js';
import type { Commit } from './development/commit.js';
import type { ListedRecord, RecordOf, ScopedKind } from './kinds.js';
import type { RepositoryRecord } from './repositories/repository.js';
import type { Sync } from './shared/sync.js';
import type { Check } from './status/check.js';
import type { StatusDay } from './status/status-day.js';
import type { Incident } from './status/incident.js';
import type { Service } from './status/service.js';

/** Every kind of record that a store keeps. */
export type StoredRecord = RepositoryRecord | ListedRecord | Service | Check | StatusDay | Sync;

export type RecordKind = StoredRecord['kind'];

/** The fields that identify one stored record within its kind. */
export type RecordIdentity =
  | Pick<RepositoryRecord, 'kind' | 'repositoryRef'>
  | Pick<Commit, 'kind' | 'repositoryRef' | 'sha'>
  | Pick<RecordOf<Exclude<ScopedKind, 'commit'>>, 'kind' | 'repositoryRef' | 'id'>
  | Pick<News | Incident | Sync, 'kind' | 'id'>
  | Pick<Service, 'kind' | 'key'>
  | (Pick<Check, 'kind' | 'serviceKey' | 'checkedAt'> & { readonly source: string })
  | Pick<StatusDay, 'kind' | 'serviceKey' | 'day'>;
