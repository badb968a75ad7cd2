import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type ClientSession, type Db } from 'mongodb';
import { HeldLease, type Lease } from './held-lease.js';
import { LeaseInUseError } from './lease-in-use-error.js';
import { LeaseDocument, type Turn } from './lease-document.js';

const LASTS_MS = 30_000;
const ASKED_EVERY_MS = 1_000;

/** The one lease of a store: whoever has it writes. */
export const WRITER = 'writer';

/** A name for a process that asks for a lease, unlike any other's. */
export function leaseHolder(pid: number): string {
  return `${hostname()}, process ${pid} (${randomBytes(3).toString('hex')})`;
}

export interface LeaseOptions {
  /** What is leased. */
  readonly name: string;
  /** Who asks: unique among all processes, and meant to be read. */
  readonly holder: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Hears once, when another one has it, who that is. */
  readonly onWaiting?: (holder: string) => void;
  /** For how many milliseconds to wait at most; without it, for as long as it takes. The lease is asked for once in any case. */
  readonly waitMs?: number;
  /** The lease is over so many milliseconds after it was renewed last; 30,000 by default. Tests shorten it: all that ask should agree. */
  readonly lastsMs?: number;
}

/** Waits until nobody else has the lease. Rejects with a {@link LeaseInUseError} when the time to wait is over. Time is the server's, so that clocks that differ do no harm. */
export async function acquireLease(db: Db, options: LeaseOptions): Promise<Lease> {
  const lastsMs = options.lastsMs ?? LASTS_MS;
  const askedEveryMs = Math.min(ASKED_EVERY_MS, lastsMs / 4);
  const document = new LeaseDocument(db, options.name, lastsMs);
  const session = (await hasTransactions(db)) ? db.client.startSession({ defaultTransactionOptions: { readPreference: 'primary' } }) : null;
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

/** What this user may not abort, the server does. */
async function abortForgotten(document: LeaseDocument): Promise<void> {
  try {
    await document.abortForgotten();
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
  }
}

/** Members of a replica set and routers of a sharded cluster have them; a server that stands alone does not. */
async function hasTransactions(db: Db): Promise<boolean> {
  const { setName, msg } = await db.command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid';
}
