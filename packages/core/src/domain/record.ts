import type { Article } from './content/article.js';
import type { News } from './content/news.js';
import type { Video } from './content/video.js';
import type { Commit } from './development/commit.js';
import type { Finding } from './development/finding.js';
import type { Release } from './development/release.js';
import type { RepositoryRecord } from './repositories/repository.js';
import type { Sync } from './shared/sync.js';
import type { Check } from './status/check.js';
import type { DayTally } from './status/day-tally.js';
import type { Incident } from './status/incident.js';
import type { Service } from './status/service.js';
import type { Build } from './work/build.js';
import type { Mission } from './work/mission.js';

/** Every kind of record that a store keeps. */
export type StoredRecord =
  | RepositoryRecord
  | Commit
  | Release
  | Finding
  | Build
  | Mission
  | News
  | Article
  | Video
  | Service
  | Check
  | DayTally
  | Incident
  | Sync;

export type RecordKind = StoredRecord['kind'];

/** The fields that identify one stored record within its kind. */
export type RecordIdentity =
  | Pick<RepositoryRecord, 'kind' | 'repositoryRef'>
  | Pick<Commit, 'kind' | 'repositoryRef' | 'sha'>
  | Pick<Release | Finding | Build | Mission | Article | Video, 'kind' | 'repositoryRef' | 'id'>
  | Pick<News | Incident | Sync, 'kind' | 'id'>
  | Pick<Service, 'kind' | 'key'>
  | (Pick<Check, 'kind' | 'serviceKey' | 'checkedAt'> & { readonly source: string })
  | Pick<DayTally, 'kind' | 'serviceKey' | 'day'>;
