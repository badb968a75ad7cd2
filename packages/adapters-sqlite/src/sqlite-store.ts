import { dirname } from 'node:path';
import { DAY, SECOND } from '@vitrine/core';
import { SqliteChangeFeed } from './changes/sqlite-change-feed.js';
import { createFinished } from './folder/create-finished.js';
import { isInPlace } from './folder/file-identity.js';
import type { StoreFiles } from './folder/store-files.js';
import { moved, StoreFolderError } from './folder/store-folder-error.js';
import type { Turn } from './lease/turn.js';
import { URGENT_READS, type ReaderCalls } from './readers/reader-calls.js';
import { SqliteCollectionReader } from './readers/sqlite-collection-reader.js';
import { SqliteReading } from './readers/sqlite-reading.js';
import type { SqliteStoreOptions } from './sqlite-store-options.js';
import type { StoreEvent } from './threads/messages.js';
import type { ServedStore } from './threads/serve-store.js';
import type { StoreRole } from './threads/store-role.js';
import { StoreThread, type Connect } from './threads/store-thread.js';
import { SqliteRecordWriter } from './writing/sqlite-record-writer.js';
import type { WriterCalls } from './writing/writer-calls.js';

export const DEFAULT_RETENTION_MS = 400 * DAY;
/** How often a store looks whether its files are still in their place, in milliseconds. Each write looks, too. */
const LOOKED_EVERY_MS = 5 * SECOND;

/** The connection of the calling thread, and the threads for everything that takes longer than a few milliseconds. */
export class SqliteStore {
  readonly reading: SqliteReading;
  readonly changeFeed: SqliteChangeFeed;
  readonly writerThread: StoreThread<WriterCalls>;
  readonly readerThread: StoreThread<ReaderCalls>;
  readonly writer: SqliteRecordWriter;
  readonly collection: SqliteCollectionReader;
  readonly #files: StoreFiles;
  readonly #options: SqliteStoreOptions;
  readonly #served: ServedStore;
  readonly #connect: (role: StoreRole, served: ServedStore) => Connect;
  readonly #watch: NodeJS.Timeout;
  /** Why nothing can be written now. */
  #problem: StoreFolderError | null = null;

  /** @param connect starts the thread that runs calls */
  constructor(files: StoreFiles, options: SqliteStoreOptions, connect: (role: StoreRole, served: ServedStore) => Connect) {
    const { file, identity, isTemporary, database } = files;
    this.#files = files;
    this.#options = options;
    this.#connect = connect;
    this.#served = { file, identity, isTemporary, retentionMs: options.retentionMs ?? DEFAULT_RETENTION_MS };
    this.reading = new SqliteReading(database, options.clock, options.monitor ?? null);
    this.changeFeed = new SqliteChangeFeed(database);
    this.writerThread = this.#thread('writer');
    this.readerThread = this.#thread('reader', URGENT_READS);
    this.writer = this.writerOf(null);
    this.collection = new SqliteCollectionReader(this.reading, this.readerThread, this.#served.retentionMs);
    this.#watch = setInterval(() => {
      this.#look();
    }, LOOKED_EVERY_MS).unref();
  }

  get folder(): string {
    return dirname(this.#files.file);
  }

  get state(): 'ready' | 'degraded' | 'moved' {
    if (this.#problem === null) return 'ready';
    return this.#problem.problem === 'moved' ? 'moved' : 'degraded';
  }

  writerOf(turn: Turn | null): SqliteRecordWriter {
    const onEnded = (error: unknown): void => {
      this.#writeEnded(error);
    };
    return new SqliteRecordWriter({ thread: this.writerThread, clock: this.#options.clock, onEnded, turn });
  }

  /** In a thread of its own, because a copy of a large store takes long, and searches must not wait for it. */
  async backup(file: string): Promise<void> {
    const thread: StoreThread<ReaderCalls> = this.#thread('reader');
    try {
      await createFinished(file, async (path) => {
        await thread.call('backup', path, { signal: new AbortController().signal });
      });
    } finally {
      await thread.close();
    }
  }

  /** Resolves when all calls have ended, and everything is durable and released. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all([this.writerThread.close(), this.readerThread.close()]);
    this.changeFeed.close();
    await this.#files.close();
  }

  #thread<Calls>(role: StoreRole, urgent: readonly (keyof Calls & string)[] = []): StoreThread<Calls> {
    const onEvent = (event: StoreEvent): void => {
      this.#hear(event);
    };
    return new StoreThread<Calls>(this.#connect(role, this.#served), onEvent, urgent);
  }

  #hear(event: StoreEvent): void {
    if (event.type === 'changed') this.changeFeed.written();
    else if (event.type === 'clock-doubt') this.#options.onClockDoubt?.(event.doubt);
    else this.#options.monitor?.quarantined(event.kind, event.id, event.reason);
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
    if (isNew) this.#options.onWritable?.(problem === null, problem);
  }
}
