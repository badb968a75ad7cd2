import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { Collections } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';

const LEASE_MS = 30_000;
const RENEWED_EVERY_MS = LEASE_MS / 3;
/** Sooner than the lease is over, so that what is being written then has ended before somebody else begins. */
const LOST_AFTER_MS = (LEASE_MS * 5) / 6;
const ASKED_EVERY_MS = 1_000;
const DUPLICATE_KEY = 11_000;

/** The one lease of a store: whoever has it writes. */
export const WRITER = 'writer';

/** A name for a process that asks for a lease, unlike any other's. */
export function leaseHolder(pid: number): string {
  return `${hostname()}, process ${pid} (${randomBytes(3).toString('hex')})`;
}

type Leases = Collection<StoredDocument>;

export interface LeaseOptions {
  /** What is leased. */
  readonly name: string;
  /** Who asks: unique among all processes, and meant to be read. */
  readonly holder: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Hears once, when another one has it, who that is. */
  readonly onWaiting?: (holder: string) => void;
}

/** The right to be the only writer. It renews itself, and ends by itself half a minute after its process has died. */
export interface Lease {
  /** Aborts when the lease could not be renewed in time: somebody else may write now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Waits until nobody else has the lease. Time is the server's, so that clocks that differ do no harm. */
export async function acquireLease(db: Db, { name, holder, signal, onWaiting }: LeaseOptions): Promise<Lease> {
  const leases = new Collections(db).of('leases');
  for (let isFirst = true; ; isFirst = false) {
    const taker = await take(leases, name, holder);
    if (taker === holder) break;
    if (isFirst) onWaiting?.(taker);
    await sleep(ASKED_EVERY_MS, undefined, { signal });
  }
  return keep(leases, name, holder);
}

/** Takes the lease when it is free, over, or ours already; resolves with who has it then. */
async function take(leases: Leases, name: string, holder: string): Promise<string> {
  const us = { $literal: holder };
  const isFree = { $or: [{ $eq: ['$holder', us] }, { $lte: [{ $ifNull: ['$expiresAt', '$$NOW'] }, '$$NOW'] }] };
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: LEASE_MS } };
  const change = { holder: { $cond: [isFree, us, '$holder'] }, expiresAt: { $cond: [isFree, until, '$expiresAt'] } };
  try {
    const lease = await leases.findOneAndUpdate({ _id: name }, [{ $set: change }], { upsert: true, returnDocument: 'after' });
    const taker: unknown = lease?.['holder'];
    return typeof taker === 'string' ? taker : '';
  } catch (error) {
    // Two that find no lease at the same moment both add one; the server refuses the second.
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return take(leases, name, holder);
    throw error;
  }
}

function keep(leases: Leases, name: string, holder: string): Lease {
  const lost = new AbortController();
  const released = new AbortController();
  const renewing = renew(leases, name, holder, released.signal).catch((error: unknown) => {
    if (!released.signal.aborted) lost.abort(error);
  });
  return {
    lost: lost.signal,
    async release() {
      released.abort();
      await renewing;
      await leases.deleteOne({ _id: name, holder });
    },
  };
}

/** Rejects while the lease still holds, however long the database takes to say nothing. */
async function renew(leases: Leases, name: string, holder: string, released: AbortSignal): Promise<never> {
  let renewedAt = performance.now();
  for (let pause = RENEWED_EVERY_MS; ;) {
    await sleep(pause, undefined, { signal: released, ref: false });
    const askedAt = performance.now();
    const tooLate = sleep(Math.max(0, renewedAt + LOST_AFTER_MS - askedAt), null, { ref: false });
    const taker = await Promise.race([take(leases, name, holder).catch(() => null), tooLate]);
    const isRenewed = taker === holder;
    if (isRenewed) renewedAt = askedAt;
    if ((taker !== null && !isRenewed) || performance.now() - renewedAt >= LOST_AFTER_MS)
      throw new Error('Another process may write to this database now.');
    pause = isRenewed ? RENEWED_EVERY_MS : ASKED_EVERY_MS;
  }
}
