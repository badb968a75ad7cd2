import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFolderError } from '../folder/store-folder-error.js';
import type { StoreWriter } from '../writing/store-writer.js';
import { LostLeaseError } from './lost-lease-error.js';
import type { Turn } from './turn.js';

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
export class HeldLease implements Lease {
  readonly #writer: StoreWriter;
  readonly #lastsMs: number;
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;

  constructor(
    writer: StoreWriter,
    readonly turn: Turn,
    lastsMs: number,
  ) {
    this.#writer = writer;
    this.#lastsMs = lastsMs;
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
    await this.#writer.leases((leases) => {
      leases.release(this.turn);
    });
  }

  #renewed(): Promise<boolean> {
    return this.#writer.leases((leases) => leases.renew(this.turn, this.#lastsMs));
  }

  /** Writes of this process are checked in their transactions. So a renewal that is late ends the turn only if another process has started one. */
  async #renewUntilOver(): Promise<void> {
    try {
      while (!this.#lost.signal.aborted) {
        await sleep(this.#lastsMs / 3, undefined, { signal: this.#released.signal, ref: false });
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
