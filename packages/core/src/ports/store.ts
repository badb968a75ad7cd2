import type { ActivityReader } from './activity-reader.js';
import type { ChangeFeed } from './change-feed.js';
import type { CheckReader } from './check-reader.js';
import type { CollectionReader } from './collection-reader.js';
import type { CommitReader } from './commit-reader.js';
import type { ConfigurationReader } from './configuration-reader.js';
import type { IncidentReader } from './incident-reader.js';
import type { KindReaders } from './kind-readers.js';
import type { NewsReader } from './news-reader.js';
import type { RecordWriter } from './record-writer.js';
import type { RepositoryReader } from './repository-reader.js';
import type { SearchReader } from './search-reader.js';
import type { ServiceReader } from './service-reader.js';
import type { SyncReader } from './sync-reader.js';

/** The reading ports that answers are made from. */
export interface AnswerReaders extends KindReaders {
  readonly repositories: RepositoryReader;
  readonly commits: CommitReader;
  readonly activity: ActivityReader;
  readonly news: NewsReader;
  readonly services: ServiceReader;
  readonly checks: CheckReader;
  readonly incidents: IncidentReader;
  readonly search: SearchReader;
  readonly syncs: SyncReader;
}

/** The reading ports of one store. */
export interface StoreReaders extends AnswerReaders {
  readonly configurations: ConfigurationReader;
}

/** An open store, as an adapter provides it. */
export interface RecordStore {
  readonly readers: StoreReaders;
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** The feed of changes, also of other processes. */
  readonly changeFeed: ChangeFeed;
  /** Resolves when everything is durable and released. */
  close(): Promise<void>;
}
