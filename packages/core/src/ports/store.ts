import type { ArticleReader } from './article-reader.js';
import type { BuildReader } from './build-reader.js';
import type { CheckReader } from './check-reader.js';
import type { CollectionReader } from './collection-reader.js';
import type { CommitReader } from './commit-reader.js';
import type { FindingReader } from './finding-reader.js';
import type { IncidentReader } from './incident-reader.js';
import type { MissionReader } from './mission-reader.js';
import type { NewsReader } from './news-reader.js';
import type { RecordWriter } from './record-writer.js';
import type { ReleaseReader } from './release-reader.js';
import type { RepositoryReader } from './repository-reader.js';
import type { SearchReader } from './search-reader.js';
import type { ServiceReader } from './service-reader.js';
import type { SyncReader } from './sync-reader.js';
import type { VideoReader } from './video-reader.js';

/** The reading ports of one store. */
export interface StoreReaders {
  readonly repositories: RepositoryReader;
  readonly commits: CommitReader;
  readonly releases: ReleaseReader;
  readonly findings: FindingReader;
  readonly builds: BuildReader;
  readonly missions: MissionReader;
  readonly news: NewsReader;
  readonly articles: ArticleReader;
  readonly videos: VideoReader;
  readonly services: ServiceReader;
  readonly checks: CheckReader;
  readonly incidents: IncidentReader;
  readonly search: SearchReader;
  readonly syncs: SyncReader;
}

/** An open store: what an adapter provides. */
export interface RecordStore {
  readonly readers: StoreReaders;
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** Resolves when everything is durable and released. */
  close(): Promise<void>;
}
