import type { RecordKind } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import type { ChangeFeed } from './changes.js';
import type { CheckReader } from './check-reader.js';
import type { CollectionReader, RecordScan } from './collection-reader.js';
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

export interface Clock {
  now(): Instant;
  /**
   * Milliseconds of a monotonic clock, which cannot be set. If this method is absent, a store uses the platform's monotonic clock. A test clock that
   * has it can let time pass, and not only jump.
   */
  elapsed?(): number;
}

/** Limits the time of a call. */
export interface Deadlines {
  /**
   * Runs the call with a signal that aborts when `signal` aborts or after `milliseconds`.
   * Rejects with an `UnavailableError` when the time is over, even if the call itself does not end.
   */
  run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Is notified of records that a reader returned although they are not approved. This is a bug of the reader; no response contains them. */
export interface GateMonitor {
  refused(kind: RecordKind): void;
}
