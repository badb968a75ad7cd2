/** How a process asks for the right to be the only one that collects into a store. */
export interface LeaseOptions {
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

/** The right to be the only process that collects into a store. It is renewed automatically, and expires half a minute after its process has died. */
export interface Lease {
  /** Aborts with the reason, such as a {@link LostLeaseError}, when it is known that another process has the lease. Nothing is stored from the moment at which it has. */
  readonly lost: AbortSignal;
  /** Asks the store whether the lease is still held, and aborts {@link lost} if it is not. `true` if the store does not answer. Never rejects. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  /** @param holder the name of the process that has the lease */
  constructor(readonly holder: string) {
    super(`${holder} collects into this store now.`);
  }
}

/** This process no longer holds the lease: another process may write now. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError';

  constructor(options?: ErrorOptions) {
    super('The right to collect into this store was lost: another process may collect now. Nothing more is stored.', options);
  }
}
