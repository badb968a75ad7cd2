import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFolderError } from '../folder/store-folder-error.js';
import type { StoreWriter } from '../writing/store-writer.js';
import { HeldLease, type Lease } from './held-lease.js';
import { LeaseInUseError } from './lease-in-use-error.js';
import type { Turn } from './turn.js';

const LASTS_MS = 30_000;
const ASKED_EVERY_MS = 1_000;

/** The lease of the process that runs the scheduled sources of a store. */
export const COLLECTOR = 'collector';

export interface LeaseOptions {
  /** The name of the lease, such as {@link COLLECTOR}. */
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

/** The name of a holder that keeps the file locked, so its name cannot be read. */
const UNKNOWN = 'another process';

/** Waits until the lease is free, and takes it. Rejects with a {@link LeaseInUseError} if that takes too long. */
export async function acquireLease(writer: StoreWriter, options: LeaseOptions): Promise<Lease> {
  const { holder, signal, onWaiting, waitMs = Infinity, lastsMs = LASTS_MS } = options;
  const endsAt = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const turn = await currentTurn(writer, options, lastsMs);
    if (turn.holder === holder) return new HeldLease(writer, turn, lastsMs);
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw new LeaseInUseError(turn.holder);
    if (isFirst) onWaiting?.(turn.holder);
    await sleep(Math.min(ASKED_EVERY_MS, lastsMs / 4, leftMs), undefined, { signal });
  }
}

/** The turn of the present holder. If the file is locked for long, its holder may have been stopped inside a transaction. */
async function currentTurn(writer: StoreWriter, { name, holder, signal }: LeaseOptions, lastsMs: number): Promise<Turn> {
  try {
    signal.throwIfAborted();
    return await writer.leases((leases) => leases.take(name, holder, lastsMs));
  } catch (error) {
    if (error instanceof StoreFolderError && error.problem === 'in-use') return { name, holder: UNKNOWN, term: 0 };
    throw error;
  }
}
