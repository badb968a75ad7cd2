import { dirname } from 'node:path';
import { ANYTHING, assertOptions, CLOCK, DEFAULT_RETENTION_MS, FLAG, FUNCTION, recordReaders, required, SECOND } from '@vitrine/core';
import type {
  CollectionReader,
  LeaseOptions,
  ReadContext,
  RecordStore,
  RecordStoreOptions,
  RecordWriter,
  RulesOf,
  StoreReaders,
} from '@vitrine/core';
import { SqliteChangeFeed } from './changes/sqlite-change-feed.js';
import { createFinished } from './folder/finished-file.js';
import { type OpenFiles, StoreFiles } from './folder/store-files.js';
import { folderError, isInPlace } from './folder/store-folder-error.js';
import { freeBytes, WriteState } from './folder/write-state.js';
import type { Turn } from './lease/lease-table.js';
import { acquireLease, type FolderLease } from './lease/lease.js';
import type { StoreCheck } from './readers/check-store.js';
import { recordTables, sqliteCollectionReader, sqliteRepositoryReader } from './readers/record-readers.js';
import { SqliteReading } from './records/reading.js';
import { type ReaderCalls, type ReaderEvent, startWorker, threadedReaders, URGENT_READS } from './threads/reader-calls.js';
import { type Channel, StoreThread } from './threads/store-thread.js';
import { SqliteRecordWriter } from './writing/sqlite-record-writer.js';
import { elapsedOf, StoreWriter } from './writing/store-writer.js';

/** The public part of an open store, so that embedders can stand in for it. */
export type OpenSqliteStore = Pick<SqliteStore, keyof SqliteStore>;

/** Opens a store. Rejects with a `StoreFolderError` if the folder or its file cannot be used. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenSqliteStore> {
  assertOptions('openSqliteStore', options, OPTIONS);
  return new SqliteStore(await StoreFiles.open(options.path, options.mustExist), options, startWorker);
}

export interface SqliteStoreOptions extends RecordStoreOptions {
  /** The data folder; created if it does not exist. `null` uses temporary files, which are removed when the store is closed. */
  readonly path: string | null;
  /** Whether the store must exist already: then nothing is created, and a folder without a store is refused. Default: `false`. */
  readonly mustExist?: boolean;
  /** Called once when the file can no longer be written, or was removed, and once when it can be written again. */
  readonly onWritable?: (isWritable: boolean, error: unknown) => void;
}

const OPTIONS: RulesOf<SqliteStoreOptions> = {
  clock: required(CLOCK),
  path: required({
    accepts: (path) => path === null || (typeof path === 'string' && path !== ''),
    means: 'the path of a folder, or null for temporary files',
  }),
  mustExist: FLAG,
  retentionMs: { accepts: (value) => Number.isFinite(value), means: 'a number of milliseconds' },
  monitor: ANYTHING,
  onWritable: FUNCTION,
  onClockDoubt: FUNCTION,
};

/** How often a store looks whether its files are still in their place, in milliseconds. Each write looks, too. */
const LOOKED_EVERY_MS = 5 * SECOND;

type ReaderThread = StoreThread<ReaderCalls, ReaderEvent>;

/**
 * All ports of the core over one SQLite file. Other processes can open the same file; `changeFeed` tells what they write within 75 ms. The calling thread has two
 * connections, one to read and one to write. A further thread has a third one, for reads that can take longer than a few milliseconds.
 */
export class SqliteStore implements RecordStore {
  /** The folder that holds the file. */
  readonly folder: string;
  readonly readers: StoreReaders;
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly changeFeed: SqliteChangeFeed;
  readonly #storeWriter: StoreWriter;
  readonly #readerThread: ReaderThread;
  readonly #watch: NodeJS.Timeout;
  readonly #writeState: WriteState;

  constructor(
    private readonly files: StoreFiles,
    private readonly options: SqliteStoreOptions,
    private readonly start: (files: OpenFiles) => Channel,
  ) {
    const { database } = files;
    this.folder = dirname(files.file);
    this.#writeState = new WriteState({
      free: () => freeBytes(this.folder),
      elapsed: () => elapsedOf(options.clock),
      onChange: (problem) => options.onWritable?.(problem === null, problem),
    });
    const { retentionMs = DEFAULT_RETENTION_MS } = options;
    const reading = new SqliteReading(database, options.clock, options.monitor ?? null);
    this.changeFeed = new SqliteChangeFeed(database);
    this.#storeWriter = new StoreWriter(files, options, () => this.changeFeed.written());
    this.#readerThread = this.#thread(URGENT_READS);
    this.readers = {
      ...recordReaders(recordTables(reading)),
      ...threadedReaders(this.#readerThread, reading),
      repositories: sqliteRepositoryReader(reading),
    };
    this.writer = this.#writerOf(null);
    this.collection = sqliteCollectionReader(reading, retentionMs);
    this.#watch = setInterval(() => this.#look(), LOOKED_EVERY_MS).unref();
  }

  /**
   * `degraded` from a write that failed because of the disk until a successful one shows that the reason is gone: everything can be read, and writes may be rejected. `moved` while the path names
   * other files than those that are open: reads may be outdated, and writes are rejected.
   */
  get state(): 'ready' | 'degraded' | 'moved' {
    const { problem } = this.#writeState;
    if (problem === null) return 'ready';
    return problem.problem === 'moved' ? 'moved' : 'degraded';
  }

  // These are properties, so that callers may pass them on.
  /** Waits until no other process collects into this store. Rejects with a `LeaseInUseError` if that takes too long. */
  readonly acquireLease = async (options: LeaseOptions): Promise<FolderLease> => {
    try {
      return await acquireLease(this.#storeWriter, options);
    } catch (error) {
      this.#writeState.ended(error);
      throw error;
    }
  };

  /** A writer whose every transaction succeeds only while the lease is held. Otherwise it rejects with a `LostLeaseError`. */
  readonly writerUnder = ({ turn }: FolderLease): RecordWriter => this.#writerOf(turn);

  /** Copies the store as it is now into a new file, while it is used. Only this user can read the copy. Rejects if the file exists. */
  readonly backup = (file: string): Promise<void> =>
    this.#inOwnThread((thread) =>
      createFinished(file, async (path) => {
        await thread.call('backup', [path], { signal: new AbortController().signal });
      }),
    );

  /** Reads all stored records and names damaged ones. Other processes may use the store meanwhile. */
  readonly check = (context: ReadContext): Promise<StoreCheck> => this.#inOwnThread((thread) => thread.call('check', [], context));

  readonly close = async (): Promise<void> => {
    clearInterval(this.#watch);
    await Promise.all([this.#storeWriter.close(), this.#readerThread.close()]);
    this.changeFeed.close();
    await this.files.close();
  };

  #writerOf(turn: Turn | null): RecordWriter {
    const onEnded = (error: unknown): void => this.#writeState.ended(error);
    return new SqliteRecordWriter(this.#storeWriter, turn, onEnded);
  }

  /** To read a whole large store takes long, and searches must not wait for it. */
  async #inOwnThread<Result>(run: (thread: ReaderThread) => Promise<Result>): Promise<Result> {
    const thread = this.#thread();
    try {
      return await run(thread);
    } finally {
      await thread.close();
    }
  }

  #thread(urgent: readonly string[] = []): ReaderThread {
    return new StoreThread(
      () => this.start(this.files),
      (event) => this.options.monitor?.quarantined(...event),
      urgent,
    );
  }

  /** Somebody may have removed the folder while nothing is written. */
  #look(): void {
    const { file, identity } = this.files;
    if (!isInPlace(file, identity)) this.#writeState.set(folderError('moved', dirname(file)));
    else if (this.state === 'moved') this.#writeState.set(null);
  }
}
