import { setTimeout as sleep } from 'node:timers/promises';
import {
  scopeTag,
  UnavailableError,
  type ChangeFeed,
  type ChangesSince,
  type Clock,
  type FeedChange,
  type FeedPosition,
  type FeedQuery,
  type ReadContext,
} from '@vitrine/core';
import { MongoServerError, type ChangeStream, type Db, type Document } from 'mongodb';
import { ChangeEvents, isLoss, PIPELINE, type ChangeEvent } from './change-events.js';

/** How long the server waits for a change. A change is sent at once. */
const AWAIT_MS = 250;
/** How long a call waits before it says that there is no stream, so that callers do not try again too often. */
const PAUSE_MS = 1_000;
/** Streams that stay open between two calls, one for each reader. */
const MOST_STREAMS = 8;
/** A position is too old: history lost, stream ended by the server, token of another cluster, token that cannot be read. */
const TOO_OLD_CODES: ReadonlySet<unknown> = new Set([286, 280, 260, 9, 14, 50811, 40647, 40648, 40649]);

export interface MongoChangeFeedOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly retentionMs: number;
}

/** A stream at a position. */
interface OpenStream {
  readonly stream: ChangeStream<Document, Document>;
  readonly events: ChangeEvents;
  position: FeedPosition;
}

/** Tells the changes of a database by a change stream over the collections of records. A user with the role `read` is enough; a standalone server has no streams. */
export class MongoChangeFeed implements ChangeFeed {
  readonly #db: Db;
  readonly #options: MongoChangeFeedOptions;
  /** By their positions; the longest unused one first. */
  readonly #streams = new Map<FeedPosition, OpenStream>();
  #isClosed = false;

  constructor(db: Db, options: MongoChangeFeedOptions) {
    [this.#db, this.#options] = [db, options];
  }

  /** Ends the streams. Waiting calls reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#streams.values()].map(({ stream }) => stream.close()));
    this.#streams.clear();
  }

  async changesSince(position: FeedPosition | null, query: FeedQuery, { signal }: ReadContext): Promise<ChangesSince> {
    signal.throwIfAborted();
    try {
      this.#assertOpen(signal);
      const open = position === null ? null : this.#streamAt(position);
      const answer = open === null ? null : await this.#next(open, query, signal);
      return answer ?? (await this.#start());
    } catch (error) {
      signal.throwIfAborted();
      await sleep(PAUSE_MS, null, { signal, ref: false });
      const unavailable = new UnavailableError('The changes of the database cannot be read.');
      unavailable.cause = error;
      throw unavailable;
    }
  }

  #assertOpen(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  async #start(): Promise<ChangesSince> {
    const open = this.#open();
    // The first answer of the server names the position.
    await open.stream.tryNext();
    const token = open.stream.resumeToken;
    await open.stream.close();
    return { isTooOld: true, changes: [], position: this.#positionOf(token) };
  }

  /** The changes of a stream; `null` if it does not know what follows its position. */
  async #next(open: OpenStream, { limit, waitMs }: FeedQuery, signal: AbortSignal): Promise<ChangesSince | null> {
    const abort = (): void => void open.stream.close();
    signal.addEventListener('abort', abort);
    try {
      const changes = await this.#read(open, limit, performance.now() + waitMs, signal);
      if (changes === null) await open.stream.close();
      else this.#keep(open);
      return changes === null ? null : { isTooOld: false, changes, position: open.position };
    } catch (error) {
      await open.stream.close();
      if (isTooOld(error)) return null;
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #read(open: OpenStream, limit: number, until: number, signal: AbortSignal): Promise<FeedChange[] | null> {
    const changes: FeedChange[] = [];
    while (changes.length < limit) {
      const event = (await open.stream.tryNext()) as ChangeEvent | null;
      this.#assertOpen(signal);
      if (event === null) {
        open.position = this.#positionOf(open.stream.resumeToken);
        if (changes.length > 0 || performance.now() >= until) break;
      } else if (isLoss(event)) return null;
      else changes.push(...this.#told(open, event));
    }
    return changes;
  }

  #told(open: OpenStream, event: ChangeEvent): readonly FeedChange[] {
    open.position = this.#positionOf(event._id);
    const change = open.events.changeOf(event);
    return change === null ? [] : [{ ...change, position: open.position }];
  }

  /** `null` for a position of another store. */
  #streamAt(position: FeedPosition): OpenStream | null {
    const known = this.#streams.get(position);
    this.#streams.delete(position);
    if (known !== undefined) return known;
    const [tag, token = ''] = position.split(':');
    return position === this.#positionOf({ _data: token }) && tag !== undefined ? this.#open(token) : null;
  }

  #open(token?: string): OpenStream {
    const { clock, retentionMs } = this.#options;
    const events = new ChangeEvents((day) => day < clock.now() - retentionMs);
    const resumed = token === undefined ? {} : { resumeAfter: { _data: token } };
    const stream = this.#db.watch<Document, Document>(PIPELINE, { fullDocument: 'updateLookup', maxAwaitTimeMS: AWAIT_MS, ...resumed });
    // Errors reach the caller that reads; without a listener, the driver would throw them into the process.
    stream.on('error', () => undefined);
    return { stream, events, position: '' };
  }

  #keep(open: OpenStream): void {
    void this.#streams.get(open.position)?.stream.close();
    this.#streams.set(open.position, open);
    const [oldest] = this.#streams.keys();
    if (this.#streams.size <= MOST_STREAMS || oldest === undefined) return;
    void this.#streams.get(oldest)?.stream.close();
    this.#streams.delete(oldest);
  }

  #positionOf(token: unknown): FeedPosition {
    const data = String((token as { readonly _data?: unknown } | null)?._data);
    return `${scopeTag(`${this.#db.databaseName} ${data}`)}:${data}`;
  }
}

function isTooOld(error: unknown): boolean {
  return error instanceof MongoServerError && (TOO_OLD_CODES.has(error.code) || error.hasErrorLabel('NonResumableChangeStreamError'));
}
