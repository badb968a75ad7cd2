import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseInUseError, type LeaseOptions } from '@vitrine/core';
import type { ClientSession, Db } from 'mongodb';
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
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const turn = await document.take(holder, session);
    if (turn.holder === holder) return turn;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw new LeaseInUseError(turn.holder);
    if (isFirst) onWaiting?.(turn.holder);
    await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
  }
}
