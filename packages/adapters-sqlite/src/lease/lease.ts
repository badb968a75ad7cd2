import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, LeaseInUseError, type LeaseOptions, LostLeaseError } from '@vitrine/core';
import { StoreFolderError } from '../folder/store-folder-error.js';
import type { StoreWriter } from '../writing/store-writer.js';
import type { Turn } from './lease-table.js';

const LASTS_MS = 30_000;
const ASKED_EVERY_MS = 1_000;

/** Waits until the lease is free, and takes it. Rejects with a {@link LeaseInUseError} if that takes too long. */
export async function acquireLease(writer: StoreWriter, options: LeaseOptions): Promise<FolderLease> {
  const { holder, signal, onWaiting, waitMs = Infinity, lastsMs = LASTS_MS } = options;
  const endsAt = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const turn = await currentTurn(writer, options, lastsMs);
    if (turn.holder === holder) return heldLease(writer, turn, lastsMs);
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw new LeaseInUseError(turn.holder);
    if (isFirst) onWaiting?.(turn.holder);
    await sleep(Math.min(ASKED_EVERY_MS, lastsMs / 4, leftMs), undefined, { signal });
  }
}

/** The turn of the present holder. If the file is locked for long, its holder may have been stopped inside a transaction, and its name cannot be read. */
async function currentTurn(writer: StoreWriter, { holder, signal }: LeaseOptions, lastsMs: number): Promise<Turn> {
  try {
    signal.throwIfAborted();
    return await writer.leases((leases) => leases.take(holder, lastsMs));
  } catch (error) {
    if (error instanceof StoreFolderError && error.problem === 'in-use') return { holder: 'another process', term: 0 };
    throw error;
  }
}

/** A lease of a folder. Where other processes can see that its process has died, it ends at once. {@link Lease.lost} also aborts, with a `StoreFolderError`, if the files of the store were removed, or a newer version has opened them. */
export interface FolderLease extends Lease {
  readonly turn: Turn;
}

/** Writes of this process are checked in their transactions. So a renewal that is late ends the turn only if another process has started one. */
function heldLease(writer: StoreWriter, turn: Turn, lastsMs: number): FolderLease {
  const [lost, released] = [new AbortController(), new AbortController()];
  const isHeld = async (): Promise<boolean> => {
    if (lost.signal.aborted) return false;
    const renewed = writer.leases((leases) => leases.renew(turn, lastsMs));
    const reason = await renewed.then(
      (isRenewed) => (isRenewed ? null : new LostLeaseError()),
      (error: unknown) => (isForeign(error) ? error : null),
    );
    if (reason !== null) lost.abort(reason);
    return reason === null;
  };
  const renewUntilOver = async (): Promise<void> => {
    const pause = { signal: released.signal, ref: false };
    for (; !lost.signal.aborted; await isHeld()) await sleep(lastsMs / 3, undefined, pause);
  };
  // It also ends when the lease is released.
  const renewing = renewUntilOver().catch(() => undefined);
  const release = async (): Promise<void> => {
    released.abort();
    await renewing;
    await writer.leases((leases) => leases.release(turn));
  };
  return { turn, lost: lost.signal, isHeld, release };
}

/** Whether the files in the folder belong to another process now, or to a newer version. That process can have the lease. */
function isForeign(error: unknown): error is StoreFolderError {
  return error instanceof StoreFolderError && ['moved', 'newer'].includes(error.problem);
}
