import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { Collections } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';

const LEASE_MS = 30_000;
const RENEWED_EVERY_MS = LEASE_MS / 3;
const ASKED_EVERY_MS = 1_000;
const DUPLICATE_KEY = 11_000;

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
  for (let isFirst = true; !(await take(leases, name, holder)); isFirst = false) {
    if (isFirst) onWaiting?.(await holderOf(leases, name));
    await sleep(ASKED_EVERY_MS, undefined, { signal });
  }
  return keep(leases, name, holder);
}

/** Takes the lease when it is free, over, or ours already. */
async function take(leases: Leases, name: string, holder: string): Promise<boolean> {
  const isFree = { $or: [{ holder }, { $expr: { $lte: ['$expiresAt', '$$NOW'] } }] };
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: LEASE_MS } };
  try {
    await leases.updateOne({ _id: name, ...isFree }, [{ $set: { holder, expiresAt: until } }], { upsert: true });
    return true;
  } catch (error) {
    // The lease is there, but not free: an upsert then tries to add a second one.
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

async function holderOf(leases: Leases, name: string): Promise<string> {
  const lease = await leases.findOne<{ readonly holder?: unknown }>({ _id: name });
  return typeof lease?.holder === 'string' ? lease.holder : 'somebody else';
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

async function renew(leases: Leases, name: string, holder: string, released: AbortSignal): Promise<never> {
  for (let renewedAt = performance.now(); ;) {
    await sleep(RENEWED_EVERY_MS, undefined, { signal: released, ref: false });
    const askedAt = performance.now();
    const isOurs = await take(leases, name, holder).catch(() => null);
    if (isOurs === true) renewedAt = askedAt;
    if (isOurs === false || askedAt - renewedAt >= LEASE_MS - RENEWED_EVERY_MS) throw new Error('Another process writes to this database now.');
  }
}
