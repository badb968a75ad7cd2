import { setTimeout as sleep } from 'node:timers/promises';
import { LostLeaseError, type Lease } from '@vitrine/core';
import { MongoError, MongoNetworkError, type ClientSession } from 'mongodb';
import type { LeaseDocument, Turn } from './lease-document.js';
import { isLostConnection } from './mongo-store-error.js';

/** The right to be the only writer. */
export interface DatabaseLease extends Lease {
  /**
   * Runs writes as one transaction, which takes effect only while this process holds the lease: never after another turn has started. The function may run several
   * times until the writes succeed. Commits of one lease run one after the other. Rejects with a {@link LostLeaseError} when the turn is over.
   *
   * @param write receives the session that each of its operations must use
   */
  commit<Result>(write: (session: ClientSession) => Promise<Result>): Promise<Result>;
}

interface HeldLeaseOptions {
  readonly document: Pick<LeaseDocument, 'confirm' | 'renew' | 'remove'>;
  readonly turn: Turn;
  readonly session: ClientSession;
  readonly lastsMs: number;
}

function isLost(error: unknown): boolean {
  return isLostConnection(error) || error instanceof MongoNetworkError;
}

/** A turn that this process has started. */
export class HeldLease implements DatabaseLease {
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HeldLeaseOptions) {
    this.#renewing = this.#renewUntilOver();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

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
    this.#released.abort();
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
    if (this.#released.signal.aborted) throw new LostLeaseError();
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
      .catch((error: unknown) => (isLost(error) ? renew() : true))
      .catch(() => true);
  }

  #over(): LostLeaseError {
    const error = new LostLeaseError();
    this.#lost.abort(error);
    return error;
  }

  /** Each commit is checked in its transaction. So a renewal that fails or is late ends the turn only if another process has started one. */
  async #renewUntilOver(): Promise<void> {
    const { lastsMs } = this.options;
    try {
      while (!this.#lost.signal.aborted) {
        await sleep(lastsMs / 3, undefined, { signal: this.#released.signal, ref: false });
        await this.isHeld();
      }
    } catch {
      // The lease was released.
    }
  }
}

/** Long enough for an election. */
const RETRIED_FOR_MS = 5_000;
const PAUSE_MS = 20;

/**
 * Runs operations as one transaction; all of them must use the session. If it fails for a temporary reason, such as an election or a write conflict
 * on the same document, the operations run again.
 */
export async function inTransaction<Result>(session: ClientSession, run: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + RETRIED_FOR_MS;
  for (;;) {
    session.startTransaction();
    try {
      const result = await run();
      await commit(session, end);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      if (!hasLabel(error, 'TransientTransactionError') || performance.now() >= end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** If the response to a commit is lost, its outcome is unknown. The commit can be repeated, because the server remembers the outcome. */
async function commit(session: ClientSession, end: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || performance.now() >= end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}
