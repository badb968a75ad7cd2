import type { RecordKind } from '../kinds/identity.js';
import { DAY, type Instant } from '../kinds/instant.js';
import type { ClockDoubt } from '../rules/retention.js';
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

/** Receives the stored records that cannot be decoded, or must not be published. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param kind of the record, or what else is damaged
   * @param id the stored id in a form that may be logged: at most 80 characters, without e-mail addresses and without the name of another repository
   * @param reason for example `unreadable`, `committedAt: wrong` or `email-in-identifier`
   */
  quarantined(kind: string, id: string, reason: string): void;
}

export const DEFAULT_RETENTION_MS = 400 * DAY;

/** What every store takes. */
export interface RecordStoreOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least 366 days, because the longest published window has 365. */
  readonly retentionMs?: number;
  /** Called when the clock jumps, or does not match the stored times. Then no raw checks are deleted for a day. */
  readonly onClockDoubt?: (doubt: ClockDoubt) => void;
  /** Called for stored records that are skipped. Default: nothing is called. */
  readonly monitor?: QuarantineMonitor;
}

export interface Clock {
  now(): Instant;
  /** Milliseconds of a monotonic clock. Default: the platform's. A test clock that has it can let time pass, and not only jump. */
  elapsed?(): number;
}

/** Limits the time of a call. */
export interface Deadlines {
  /** Aborts the signal of the call, and rejects with an `UnavailableError`, when `signal` aborts or after `milliseconds`, even if the call does not end. */
  run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Is notified of records that a reader returned although they are not approved. This is a bug of the reader; no response contains them. */
export interface GateMonitor {
  refused(kind: RecordKind): void;
}
