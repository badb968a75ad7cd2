import type { ChangeFeed } from './changes.js';
import type { CheckReader } from './check-reader.js';
import type {
  ActivityReader,
  CommitReader,
  ConfigurationReader,
  IncidentReader,
  KindReaders,
  NewsReader,
  RepositoryReader,
  SearchReader,
  ServiceReader,
  SyncReader,
} from './readers.js';
import type { CollectionReader, RecordScan } from './collection-reader.js';
import type { RecordWriter } from './record-writer.js';

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

/** An open store without search of its own: an index beside it is made from its scan and its feed. */
export interface IndexedBesideStore extends Omit<RecordStore, 'readers'> {
  readonly readers: Omit<StoreReaders, 'search'>;
  readonly scan: RecordScan;
}
