import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RETENTION_MS, scopeTag, UnavailableError } from '@vitrine/core';
import type { ChangeFeed, ChangesSince, FeedChange, FeedPosition, FeedQuery, ReadContext, RecordStoreOptions } from '@vitrine/core';
import { type ChangeStream, type ClientSession, type Db, type Document, type MongoClient, MongoServerError, Timestamp } from 'mongodb';
import { Collections } from '../collections.js';
import { MOST_LAG_SECONDS } from '../connection/connect-mongo.js';
import { type ChangeEvent, ChangeEvents, isLoss, PIPELINE } from './change-events.js';

/** The time of the newest change that a feed has told, in the clock of the database. Reads that come after it see the change on every member. */
export class ToldTime {
  #time: Timestamp | null = null;

  /** @param time of a change, or of the position of a stream; ignored if it is no time */
  advance(time: unknown): void {
    if (time instanceof Timestamp && (this.#time === null || time.greaterThan(this.#time))) this.#time = time;
  }

  /** Runs reads within a session that waits for the told changes. Without any, there is no session. */
  async run<Result>(client: MongoClient, read: (options: { readonly session?: ClientSession }) => Promise<Result>): Promise<Result> {
    const time = this.#time;
    if (time === null) return read({});
    return client.withSession({ causalConsistency: true }, (session) => {
      session.advanceOperationTime(time);
      return read({ session });
    });
  }
}

/** How long the server waits for a change. A change is sent at once. */
const AWAIT_MS = 250;
/** How long a call waits before it says that there is no stream, so that callers do not try again too often. */
const PAUSE_MS = 1_000;
/** Streams that stay open between two calls, one for each reader. */
const MOST_STREAMS = 8;
/** A position is too old: history lost before or while it is read, stream ended by the server, token of another cluster, token that cannot be read. */
const TOO_OLD_CODES: ReadonlySet<unknown> = new Set([286, 136, 280, 260, 9, 14, 50811, 40647, 40648, 40649]);

interface OpenStream {
  readonly stream: ChangeStream<Document, Document>;
  readonly events: ChangeEvents;
  readonly session: ClientSession;
  position: FeedPosition;
  /** The next event, if a call that was aborted has asked for it. */
  asked: Promise<ChangeEvent | null> | null;
}

/** Tells the changes of a database by a change stream over the collections of records. A user with the role `read` is enough; a standalone server has no streams. */
export class MongoChangeFeed implements ChangeFeed {
  /** The time of the newest change that callers know. */
  readonly told = new ToldTime();
  /** Streams that no call reads at the moment; the longest unused one first. */
  readonly #streams: OpenStream[] = [];
  #isClosed = false;

  constructor(
    private readonly db: Db,
    private readonly options: Pick<RecordStoreOptions, 'clock' | 'retentionMs'>,
  ) {}

  /** Ends the streams. Waiting calls reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#streams.splice(0).map(({ stream }) => stream.close()));
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
      throw Object.assign(new UnavailableError('The changes of the database cannot be read.'), { cause: error });
    }
  }

  #assertOpen(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  async #start(): Promise<ChangesSince> {
    // They are read before the position, so that every later change is compared with them or with an older version.
    const syncs = await new Collections(this.db)
      .of('syncs')
      .find({}, { projection: { state: 0 } })
      .toArray();
    const open = this.#open(undefined, syncs);
    // The first answer of the server names the position. What it tells is no news: the caller reads everything after it.
    await open.stream.tryNext();
    open.position = this.#positionOf(open.stream.resumeToken);
    this.told.advance(open.session.operationTime);
    this.#keep(open);
    return { isTooOld: true, changes: [], position: open.position };
  }

  /** The changes of a stream; `null` if it does not know what follows its position. */
  async #next(open: OpenStream, { limit, waitMs }: FeedQuery, signal: AbortSignal): Promise<ChangesSince | null> {
    try {
      const changes = await this.#read(open, limit, performance.now() + waitMs, signal);
      if (changes === null) await open.stream.close();
      else this.#keep(open);
      return changes === null ? null : { isTooOld: false, changes, position: open.position };
    } catch (error) {
      // An aborted call leaves the stream to the next one: a new stream would know no earlier version of sync records.
      if (signal.aborted && !this.#isClosed && !open.stream.closed) this.#keep(open);
      else await open.stream.close();
      if (isTooOld(error)) return null;
      throw error;
    }
  }

  async #read(open: OpenStream, limit: number, until: number, signal: AbortSignal): Promise<FeedChange[] | null> {
    const changes: FeedChange[] = [];
    while (changes.length < limit) {
      open.asked ??= open.stream.tryNext() as Promise<ChangeEvent | null>;
      const event = await orAborted(open.asked, signal);
      // An aborted call leaves the event to the next one.
      this.#assertOpen(signal);
      open.asked = null;
      if (event === null) {
        if (performance.now() < until) continue;
        open.position = this.#positionOf(open.stream.resumeToken);
        break;
      } else if (isLoss(event)) return null;
      else changes.push(...this.#told(open, event));
      // The server is not asked for more, because it would wait before it says that there is none.
      if (changes.length > 0 && open.stream.bufferedCount() === 0) break;
    }
    return changes;
  }

  #told(open: OpenStream, event: ChangeEvent): readonly FeedChange[] {
    open.position = this.#positionOf(event._id);
    this.told.advance(event.clusterTime);
    const change = open.events.changeOf(event);
    return change === null ? [] : [{ ...change, position: open.position }];
  }

  /** `null` for a position of another store. */
  #streamAt(position: FeedPosition): OpenStream | null {
    const index = this.#streams.findLastIndex((open) => open.position === position);
    const [known] = index < 0 ? [] : this.#streams.splice(index, 1);
    if (known !== undefined) return known;
    const [tag, token = ''] = position.split(':');
    return position === this.#positionOf({ _data: token }) && tag !== undefined ? this.#open(token) : null;
  }

  #open(token?: string, syncs: readonly unknown[] = []): OpenStream {
    const { clock, retentionMs = DEFAULT_RETENTION_MS } = this.options;
    const events = new ChangeEvents((day) => day < clock.now() - retentionMs, syncs);
    const resumed = token === undefined ? {} : { resumeAfter: { _data: token } };
    const session = this.db.client.startSession();
    const stream = this.db.watch<Document, Document>(PIPELINE, { fullDocument: 'updateLookup', maxAwaitTimeMS: AWAIT_MS, session, ...resumed });
    stream.once('close', () => void session.endSession());
    // Errors reach the caller that reads; without a listener, the driver would throw them into the process.
    stream.on('error', () => undefined);
    return { stream, events, session, position: '', asked: null };
  }

  /** Reads leave a member that lags for so long, but a stream stays on it. The next call opens one at the same position, on a member that reads use. */
  #lags({ session }: OpenStream): boolean {
    const [known, reached] = [session.clusterTime?.clusterTime.t ?? 0, session.operationTime?.t ?? Infinity];
    return known - reached > (this.db.readPreference.maxStalenessSeconds ?? MOST_LAG_SECONDS);
  }

  #keep(open: OpenStream): void {
    if (this.#lags(open)) void open.stream.close();
    else this.#streams.push(open);
    if (this.#streams.length > MOST_STREAMS) void this.#streams.shift()?.stream.close();
  }

  #positionOf(token: unknown): FeedPosition {
    const data = String((token as { readonly _data?: unknown } | null)?._data);
    return `${scopeTag(`${this.db.databaseName} ${data}`)}:${data}`;
  }
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function isTooOld(error: unknown): boolean {
  return error instanceof MongoServerError && (TOO_OLD_CODES.has(error.code) || error.hasErrorLabel('NonResumableChangeStreamError'));
}
