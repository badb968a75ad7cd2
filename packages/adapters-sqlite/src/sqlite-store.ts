import { dirname } from 'node:path';
import { DAY, SECOND, type Clock, type ClockDoubt, type ReadContext } from '@vitrine/core';
import { SqliteChangeFeed } from './changes/sqlite-change-feed.js';
import { openDatabase } from './database/open-database.js';
import { createFinished } from './folder/check-folder.js';
import type { StoreFiles } from './folder/store-files.js';
import { isInPlace, moved, requireInPlace, StoreFolderError } from './folder/store-folder-error.js';
import type { Turn } from './lease/lease-table.js';
import type { StoreCheck } from './readers/check-store.js';
import { SqliteCollectionReader } from './readers/sqlite-collection-reader.js';
import { SqliteReading } from './readers/sqlite-reading.js';
import type { QuarantineMonitor } from './records/decoding.js';
import { URGENT_READS, type ReaderCalls, type ReaderEvent, type ServedStore } from './threads/reader-calls.js';
import { StoreThread, type Channel } from './threads/store-thread.js';
import { SqliteRecordWriter } from './writing/sqlite-record-writer.js';
import { StoreWriter } from './writing/store-writer.js';

export interface SqliteStoreOptions {
  readonly clock: Clock;
  /** The data folder; created if it does not exist. `null` uses temporary files, which are removed when the store is closed. */
  readonly path: string | null;
  /** Whether the store must exist already: then nothing is created, and a folder without a store is refused. Default: `false`. */
  readonly mustExist?: boolean;
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least 366 days, because the longest published window has 365. */
  readonly retentionMs?: number;
  /** Called once when the file can no longer be written, or was removed, and once when it can be written again. */
  readonly onWritable?: (isWritable: boolean, error: unknown) => void;
  /** Called when the clock jumps, or does not match the stored times. Then no raw checks are deleted for a day. */
  readonly onClockDoubt?: (doubt: ClockDoubt) => void;
  /** Called for stored records that cannot be decoded, or must not be published. They are skipped. */
  readonly monitor?: QuarantineMonitor;
}

export const DEFAULT_RETENTION_MS = 400 * DAY;
/** How often a store looks whether its files are still in their place, in milliseconds. Each write looks, too. */
const LOOKED_EVERY_MS = 5 * SECOND;

/** The pages that the connection of the writer keeps in memory, in KiB. */
const WRITER_CACHE_KIB = 32_768;

type ReaderThread = StoreThread<ReaderCalls, ReaderEvent>;

/** The connections of the calling thread, one to read and one to write, and the thread for reads that can take longer than a few milliseconds. */
export class SqliteStore {
  readonly reading: SqliteReading;
  readonly changeFeed: SqliteChangeFeed;
  readonly storeWriter: StoreWriter;
  readonly readerThread: ReaderThread;
  readonly writer: SqliteRecordWriter;
  readonly collection: SqliteCollectionReader;
  readonly #served: ServedStore;
  readonly #watch: NodeJS.Timeout;
  /** Why nothing can be written now. */
  #problem: StoreFolderError | null = null;

  /** @param start starts the thread that runs calls */
  constructor(
    private readonly files: StoreFiles,
    private readonly options: SqliteStoreOptions,
    private readonly start: (served: ServedStore) => Channel,
  ) {
    const { file, identity, isTemporary, database } = files;
    this.#served = { file, identity, isTemporary };
    const { retentionMs = DEFAULT_RETENTION_MS } = options;
    this.reading = new SqliteReading(database, options.clock, options.monitor ?? null);
    this.changeFeed = new SqliteChangeFeed(database);
    this.storeWriter = this.#writer(retentionMs);
    this.readerThread = this.#thread(URGENT_READS);
    this.writer = this.writerOf(null);
    this.collection = new SqliteCollectionReader(this.reading, retentionMs);
    this.#watch = setInterval(() => {
      this.#look();
    }, LOOKED_EVERY_MS).unref();
  }

  get folder(): string {
    return dirname(this.files.file);
  }

  get state(): 'ready' | 'degraded' | 'moved' {
    if (this.#problem === null) return 'ready';
    return this.#problem.problem === 'moved' ? 'moved' : 'degraded';
  }

  writerOf(turn: Turn | null): SqliteRecordWriter {
    const onEnded = (error: unknown): void => {
      this.#writeEnded(error);
    };
    return new SqliteRecordWriter(this.storeWriter, turn, onEnded);
  }

  async backup(file: string): Promise<void> {
    await this.#inOwnThread((thread) =>
      createFinished(file, async (path) => {
        await thread.call('backup', path, { signal: new AbortController().signal });
      }),
    );
  }

  check(context: ReadContext): Promise<StoreCheck> {
    return this.#inOwnThread((thread) => thread.call('check', undefined, context));
  }

  /** Resolves when all calls have ended, and everything is durable and released. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all([this.storeWriter.close(), this.readerThread.close()]);
    this.changeFeed.close();
    await this.files.close();
  }

  #writer(retentionMs: number): StoreWriter {
    const { file, identity, isTemporary } = this.#served;
    const { clock, onClockDoubt } = this.options;
    const open = () => {
      requireInPlace(file, identity);
      return openDatabase(file, { isTemporary, cacheKiB: WRITER_CACHE_KIB });
    };
    return new StoreWriter(open, {
      file,
      identity,
      retentionMs,
      clock: { now: () => clock.now(), elapsed: () => clock.elapsed?.() ?? performance.now() },
      onClockDoubt: (doubt) => {
        // An error of the listener must not end the transaction.
        setImmediate(() => onClockDoubt?.(doubt));
      },
      onChanged: () => {
        this.changeFeed.written();
      },
    });
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
      () => this.start(this.#served),
      (event) => this.options.monitor?.quarantined(...event),
      urgent,
    );
  }

  /** Somebody may have removed the folder while nothing is written. */
  #look(): void {
    const { file, identity } = this.#served;
    if (!isInPlace(file, identity)) this.#set(moved(dirname(file)));
    else if (this.state === 'moved') this.#set(null);
  }

  #writeEnded(error: unknown): void {
    const isFailure = error instanceof StoreFolderError && ['unwritable', 'moved'].includes(error.problem);
    if (error === null || isFailure) this.#set(isFailure ? error : null);
  }

  #set(problem: StoreFolderError | null): void {
    const isNew = problem?.problem !== this.#problem?.problem;
    this.#problem = problem;
    if (isNew) this.options.onWritable?.(problem === null, problem);
  }
}
