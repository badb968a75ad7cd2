import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ChangeAnnouncer, DAY } from '@vitrine/core';
import { ForeignWrites } from './changes/foreign-writes.js';
import { StoreFiles } from './folder/store-files.js';
import { StoreFolderError } from './folder/store-folder-error.js';
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

/** The connection of the calling thread, and the threads for everything that takes longer than a few milliseconds. */
export class SqliteStore {
  readonly reading: SqliteReading;
  readonly changes: ChangeAnnouncer;
  readonly foreignWrites: ForeignWrites;
  readonly writerThread: StoreThread<WriterCalls>;
  readonly readerThread: StoreThread<ReaderCalls>;
  readonly writer: SqliteRecordWriter;
  readonly collection: SqliteCollectionReader;
  readonly #files: StoreFiles;
  readonly #options: SqliteStoreOptions;
  readonly #served: ServedStore;
  readonly #connect: (role: StoreRole, served: ServedStore) => Connect;
  #isWritable = true;

  /** @param connect starts the thread that runs calls */
  constructor(files: StoreFiles, options: SqliteStoreOptions, connect: (role: StoreRole, served: ServedStore) => Connect) {
    const { file, isTemporary, database } = files;
    this.#files = files;
    this.#options = options;
    this.#connect = connect;
    this.#served = { file, isTemporary, process: randomBytes(8).toString('hex'), retentionMs: options.retentionMs ?? DEFAULT_RETENTION_MS };
    this.reading = new SqliteReading(database, options.clock, options.monitor ?? null);
    this.changes = new ChangeAnnouncer(options.onListenerError);
    this.foreignWrites = new ForeignWrites(database, this.#served.process);
    this.writerThread = this.#thread('writer');
    this.readerThread = this.#thread('reader', URGENT_READS);
    this.writer = this.writerOf(null);
    this.collection = new SqliteCollectionReader(this.reading, this.readerThread, this.#served.retentionMs);
  }

  get folder(): string {
    return dirname(this.#files.file);
  }

  get state(): 'ready' | 'degraded' {
    return this.#isWritable ? 'ready' : 'degraded';
  }

  writerOf(turn: Turn | null): SqliteRecordWriter {
    const onEnded = (error: unknown): void => {
      this.#writeEnded(error);
    };
    return new SqliteRecordWriter({ thread: this.writerThread, clock: this.#options.clock, onEnded, turn });
  }

  /** In a thread of its own, because a copy of a large store takes long, and searches must not wait for it. */
  async backup(file: string): Promise<void> {
    await StoreFiles.create(file);
    const thread: StoreThread<ReaderCalls> = this.#thread('reader');
    try {
      await thread.call('backup', file, { signal: new AbortController().signal });
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await thread.close();
    }
  }

  /** Resolves when all calls have ended, and everything is durable and released. */
  async close(): Promise<void> {
    await Promise.all([this.writerThread.close(), this.readerThread.close()]);
    await this.#files.close();
  }

  #thread<Calls>(role: StoreRole, urgent: readonly (keyof Calls & string)[] = []): StoreThread<Calls> {
    const onEvent = (event: StoreEvent): void => {
      this.#hear(event);
    };
    return new StoreThread<Calls>(this.#connect(role, this.#served), onEvent, urgent);
  }

  #hear(event: StoreEvent): void {
    if (event.type === 'changed') this.changes.announce(event.changes);
    else if (event.type === 'clock-doubt') this.#options.onClockDoubt?.(event.doubt);
    else this.#options.monitor?.quarantined(event.kind, event.id, event.reason);
  }

  #writeEnded(error: unknown): void {
    const isFailure = error instanceof StoreFolderError && error.problem === 'unwritable';
    if (error !== null && !isFailure) return;
    if (isFailure === this.#isWritable) this.#options.onWritable?.(!isFailure, error);
    this.#isWritable = !isFailure;
  }
}
