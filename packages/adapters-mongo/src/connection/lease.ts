import { setTimeout as sleep } from 'node:timers/promises';
import { given, type Lease, LeaseInUseError, type LeaseOptions, LostLeaseError } from '@vitrine/core';
import { type ClientSession, type Db, MongoError, MongoNetworkError } from 'mongodb';
import { writingSession } from '../collections.js';
import { LeaseDocument, type Turn } from './lease-document.js';
import { isLostConnection } from './mongo-store-error.js';

const DEFAULTS = { waitMs: Infinity, lastsMs: 30_000 } as const;
const ASKED_EVERY_MS = 1_000;

/** Waits until the lease is free, and takes it. Rejects with a {@link LeaseInUseError} if that takes too long. All times are those of the server, so different clocks do no harm. */
export async function acquireLease(db: Db, options: LeaseOptions): Promise<DatabaseLease> {
  const { holder, signal, onWaiting, waitMs, lastsMs } = { ...DEFAULTS, ...given(options) };
  const document = new LeaseDocument(db, lastsMs);
  const session = db.client.startSession(writingSession(db));
  const endsAt = performance.now() + waitMs;
  try {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const turn = await document.take(holder, session);
      if (turn.holder === holder) return new HeldLease({ document, turn, session, lastsMs });
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) throw new LeaseInUseError(turn.holder);
      if (isFirst) onWaiting?.(turn.holder);
      await sleep(Math.min(ASKED_EVERY_MS, lastsMs / 4, leftMs), undefined, { signal });
    }
  } catch (error) {
    await session.endSession();
    throw error;
  }
}

interface HeldLeaseOptions {
  readonly document: Pick<LeaseDocument, 'confirm' | 'renew' | 'remove'>;
  readonly turn: Turn;
  readonly session: ClientSession;
  readonly lastsMs: number;
}

/** The right to be the only writer. Only the public part of the class, so that embedders can wrap a lease. */
export type DatabaseLease = Pick<HeldLease, keyof HeldLease>;

export class HeldLease implements Lease {
  readonly #lost = new AbortController();
  /** Each commit is checked in its transaction. So a renewal that fails or is late ends the turn only if another process has started one. */
  readonly #timer: NodeJS.Timeout;
  /** The renewal that runs; `null` for none. It can take longer than the time between two. */
  #renewing: Promise<unknown> | null = null;
  #isReleased = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HeldLeaseOptions) {
    this.#timer = setInterval(() => {
      this.#renewing ??= this.isHeld().finally(() => (this.#renewing = null));
    }, options.lastsMs / 3).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Runs writes as one transaction, which takes effect only while this process holds the lease: never after another turn has started. The function may run several
   * times until the writes succeed. Commits of one lease run one after the other. Rejects with a {@link LostLeaseError} when the turn is over.
   *
   * @param write receives the session that each of its operations must use
   */
  commit<Result>(write: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const run = () => this.#commit(write);
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async isHeld(): Promise<boolean> {
    if (this.#lost.signal.aborted) return false;
    const isHeld = await this.#goesOn();
    if (!isHeld) this.#over();
    return isHeld;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#last;
    try {
      await this.options.document.remove(this.options.turn);
    } finally {
      await this.options.session.endSession();
    }
  }

  async #commit<Result>(write: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const { session } = this.options;
    try {
      return await inTransaction(session, async () => {
        await this.#confirm();
        return write(session);
      });
    } catch (error) {
      throw await this.#meaningOf(error);
    }
  }

  async #confirm(): Promise<void> {
    const { document, turn, session } = this.options;
    if (this.#isReleased) throw new LostLeaseError();
    if (this.#lost.signal.aborted || !(await document.confirm(turn, session))) throw this.#over();
  }

  /** If the next holder has aborted a transaction, the server can report different errors. So this reads the lease to find the true reason. */
  async #meaningOf(error: unknown): Promise<unknown> {
    if (!(error instanceof MongoError) && !isLostConnection(error)) return error;
    return (await this.isHeld()) ? error : new LostLeaseError({ cause: error });
  }

  /** Whether the turn continues. After a long pause of the process, all connections may be lost, so a first failed attempt proves nothing. */
  async #goesOn(): Promise<boolean> {
    const { document, turn } = this.options;
    const renew = () => document.renew(turn);
    return renew()
      .catch((error: unknown) => (isLostConnection(error) || error instanceof MongoNetworkError ? renew() : true))
      .catch(() => true);
  }

  #over(): LostLeaseError {
    const error = new LostLeaseError();
    this.#lost.abort(error);
    return error;
  }
}

/** Long enough for an election. */
const RETRIED_FOR_MS = 5_000;
const PAUSE_MS = 20;

/** Runs operations as one transaction; all of them must use the session. They run again if they fail for a temporary reason, such as an election or a write conflict. */
export function inTransaction<Result>(session: ClientSession, run: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + RETRIED_FOR_MS;
  return retried('TransientTransactionError', end, async () => {
    session.startTransaction();
    try {
      const result = await run();
      // If the response is lost, the outcome is unknown. The commit can be repeated, because the server remembers it.
      await retried('UnknownTransactionCommitResult', end, () => session.commitTransaction());
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      throw error;
    }
  });
}

/** Runs again after errors with a label of the driver, until the time is over. */
async function retried<Result>(label: string, end: number, run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof MongoError && error.hasErrorLabel(label)) || performance.now() >= end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
