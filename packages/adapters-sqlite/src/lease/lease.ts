import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFolderError } from '../folder/store-folder-error.js';
import { LostLeaseError, type Turn } from './lease-table.js';
import type { StoreWriter } from '../writing/store-writer.js';

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

/** The right to collect into a store. It is renewed automatically. It ends when its process has died: at once where other processes can see that, otherwise after half a minute. */
export interface Lease {
  readonly turn: Turn;
  /** Aborts if another process has the lease, with a `LostLeaseError`, or if the files of the store were removed, with a `StoreFolderError`. */
  readonly lost: AbortSignal;
  /** Asks the store whether this is still the holder's turn, and aborts {@link lost} if it is not. `true` if the store cannot be read. Never rejects. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** A turn that this process has started. */
class HeldLease implements Lease {
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;

  constructor(
    private readonly writer: StoreWriter,
    readonly turn: Turn,
    private readonly lastsMs: number,
  ) {
    this.#renewing = this.#renewUntilOver();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async isHeld(): Promise<boolean> {
    if (this.#lost.signal.aborted) return false;
    const reason = await this.#renewed().then(
      (isHeld) => (isHeld ? null : new LostLeaseError()),
      (error: unknown) => (hasMoved(error) ? error : null),
    );
    if (reason !== null) this.#lost.abort(reason);
    return reason === null;
  }

  async release(): Promise<void> {
    this.#released.abort();
    await this.#renewing;
    await this.writer.leases((leases) => {
      leases.release(this.turn);
    });
  }

  #renewed(): Promise<boolean> {
    return this.writer.leases((leases) => leases.renew(this.turn, this.lastsMs));
  }

  /** Writes of this process are checked in their transactions. So a renewal that is late ends the turn only if another process has started one. */
  async #renewUntilOver(): Promise<void> {
    try {
      while (!this.#lost.signal.aborted) {
        await sleep(this.lastsMs / 3, undefined, { signal: this.#released.signal, ref: false });
        await this.isHeld();
      }
    } catch {
      // The lease was released.
    }
  }
}

/** Another process can have the lease of the files that are in the folder now. */
function hasMoved(error: unknown): error is StoreFolderError {
  return error instanceof StoreFolderError && error.problem === 'moved';
}

/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  constructor(readonly holder: string) {
    super(`${holder} collects into this store now.`);
  }
}
