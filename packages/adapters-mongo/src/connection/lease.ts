import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseInUseError, type LeaseOptions } from '@vitrine/core';
import { MongoServerError, type ClientSession, type Db } from 'mongodb';
import { writingSession } from '../collections.js';
import { HeldLease, type DatabaseLease } from './held-lease.js';
import { LeaseDocument, type Turn } from './lease-document.js';

const LASTS_MS = 30_000;
const ASKED_EVERY_MS = 1_000;

/** Waits until the lease is free, and takes it. Rejects with a {@link LeaseInUseError} if that takes too long. All times are those of the server, so different clocks do no harm. */
export async function acquireLease(db: Db, options: LeaseOptions): Promise<DatabaseLease> {
  const lastsMs = options.lastsMs ?? LASTS_MS;
  const document = new LeaseDocument(db, lastsMs);
  const session = db.client.startSession(writingSession(db));
  try {
    const turn = await ownTurn(document, session, options, Math.min(ASKED_EVERY_MS, lastsMs / 4));
    return new HeldLease({ document, turn, session, lastsMs });
  } catch (error) {
    await session.endSession();
    throw error;
  }
}

async function ownTurn(
  document: LeaseDocument,
  session: ClientSession,
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
