import type { RecordKind } from '../kinds/identity.js';
import { DAY, type Instant } from '../kinds/instant.js';
import type { ClockDoubt } from '../rules/retention.js';
import type { ChangeFeed } from './changes.js';
import type { CollectionReader, RecordScan } from './collection-reader.js';
import type {
  ActivityReader,
  CheckReader,
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

/** How a process asks for the right to be the only one that collects into a store. */
export interface LeaseOptions {
  /** The process that requests the lease: a unique and readable name. */
  readonly holder: string;
  /** Aborts the waiting. */
  readonly signal: AbortSignal;
  /** Called once if another process has the lease, with the name of that process. */
  readonly onWaiting?: (holder: string) => void;
  /** How long to wait, in milliseconds; without it, as long as necessary. The lease is requested at least once. */
  readonly waitMs?: number;
  /** The lease expires this many milliseconds after its last renewal; 30,000 by default. For tests: all processes must use the same value. */
  readonly lastsMs?: number;
}

/** The right to be the only process that collects into a store. It is renewed automatically, and expires half a minute after its process has died. */
export interface Lease {
  /** Aborts with the reason, such as a {@link LostLeaseError}, when it is known that another process has the lease. Nothing is stored from the moment at which it has. */
  readonly lost: AbortSignal;
  /** Asks the store whether the lease is still held, and aborts {@link lost} if it is not. `true` if the store does not answer. Never rejects. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  /** @param holder the name of the process that has the lease */
  constructor(readonly holder: string) {
    super(`${holder} collects into this store now.`);
  }
}

/** This process no longer holds the lease: another process may write now. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError';

  constructor(options?: ErrorOptions) {
    super('The right to collect into this store was lost: another process may collect now. Nothing more is stored.', options);
  }
}
