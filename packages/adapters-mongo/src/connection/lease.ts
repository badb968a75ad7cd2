import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type ClientSession, type Db } from 'mongodb';
import { isReplicated } from './connect-mongo.js';
import { HeldLease, type Lease } from './held-lease.js';
import { LeaseDocument, type Turn } from './lease-document.js';

const LASTS_MS = 30_000;
const ASKED_EVERY_MS = 1_000;

/** The only lease of a store. Its holder may write. */
export const WRITER = 'writer';

export interface LeaseOptions {
  /** The name of the lease. */
  readonly name: string;
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

/** Waits until the lease is free, and takes it. Rejects with a {@link LeaseInUseError} if that takes too long. All times are those of the server, so different clocks do no harm. */
export async function acquireLease(db: Db, options: LeaseOptions): Promise<Lease> {
  const lastsMs = options.lastsMs ?? LASTS_MS;
  const askedEveryMs = Math.min(ASKED_EVERY_MS, lastsMs / 4);
  const document = new LeaseDocument(db, options.name, lastsMs);
  const session = (await isReplicated(db)) ? db.client.startSession({ defaultTransactionOptions: { readPreference: 'primary' } }) : null;
  try {
    const turn = await ownTurn(document, session, options, askedEveryMs);
    return new HeldLease({ document, turn, session, lastsMs, askedEveryMs });
  } catch (error) {
    await session?.endSession();
    throw error;
  }
}

async function ownTurn(
  document: LeaseDocument,
  session: ClientSession | null,
  { holder, signal, onWaiting, waitMs = Infinity }: LeaseOptions,
  pauseMs: number,
): Promise<Turn> {
  const endsAt = performance.now() + waitMs;
  for (let isFirst = true; ;) {
    signal.throwIfAborted();
    const turn = await document.take(holder, session);
    if (turn?.holder === holder) return turn;
    const leftMs = timeLeft(endsAt, turn);
    if (turn === null) {
      await abortForgotten(document);
      continue;
    }
    if (isFirst) onWaiting?.(turn.holder);
    isFirst = false;
    await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
  }
}

function timeLeft(endsAt: number, turn: Turn | null): number {
  const leftMs = endsAt - performance.now();
  if (leftMs <= 0) throw new LeaseInUseError(turn?.holder ?? null);
  return leftMs;
}

/** If this user may not abort the transaction, the server aborts it after a minute. */
async function abortForgotten(document: LeaseDocument): Promise<void> {
  try {
    await document.abortForgotten();
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
  }
}

/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  /** @param holder the process that has the lease; `null` if it is free, but a transaction of an expired turn is still open */
  constructor(readonly holder: string | null) {
    super(`${holder ?? 'Another process'} writes to this database now.`);
  }
}
