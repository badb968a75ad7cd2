import { SECOND, type ConfigurationReader, type Sync } from '@vitrine/core';
import type { HiddenRepository } from './hidden-repository.js';
import { isSameStored, isStoredApproval, NOTHING_STORED, storedApprovalsOf, type StoredApprovals } from './stored-approvals.js';

export interface WatchedApprovalsOptions {
  readonly reader: ConfigurationReader;
  /** A repository is hidden from now on, also if it was hidden before the first read. It may be one that this process does not approve. */
  readonly onHidden?: (repository: HiddenRepository, stored: StoredApprovals) => void;
  /** A repository is not hidden any more. */
  readonly onShown?: (repository: HiddenRepository, stored: StoredApprovals) => void;
  /** A read has failed. The last result serves until one succeeds. */
  readonly onFailure?: (error: unknown) => void;
  /** A read has succeeded. */
  readonly onSuccess?: () => void;
}

/** With the limit of a read, a change is seen within five seconds. */
const POLL_MS = SECOND;
const READ_MS = 3 * SECOND;
/** Until the first read has succeeded, nothing can be answered. */
const FIRST_POLL_MS = 100;

/** What collectors have stored about approved repositories, read once a second. A read that fails changes nothing. */
export class WatchedApprovals {
  /** Resolves when the first read has succeeded. */
  readonly known: Promise<void>;
  readonly #options: WatchedApprovalsOptions;
  readonly #stopping = new AbortController();
  readonly #listeners: (() => void)[] = [];
  #resolveKnown: () => void = () => undefined;
  #current: StoredApprovals | null = null;
  /** What was read last. It is parsed again only if it has changed. */
  #syncs: readonly Sync[] | null = null;
  #text = '';
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WatchedApprovalsOptions) {
    this.#options = options;
    this.known = new Promise((resolve) => (this.#resolveKnown = resolve));
  }

  /** The same object until something has changed; `null` until the first read has succeeded. */
  readonly current = (): StoredApprovals | null => this.#current;

  /** Calls whenever something has changed, when {@link current} returns it already. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads now and then once a second, until it is stopped. */
  start(): void {
    void this.poll().finally(() => {
      if (this.#stopping.signal.aborted) return;
      this.#timer = setTimeout(
        () => {
          this.start();
        },
        this.#current === null ? FIRST_POLL_MS : POLL_MS,
      );
      this.#timer.unref();
    });
  }

  stop(): void {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Reads once. Never rejects. */
  poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(READ_MS)]);
    try {
      this.#follow((await this.#options.reader.list({ signal })).filter(isStoredApproval));
      this.#options.onSuccess?.();
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#options.onFailure?.(error);
    }
  }

  #follow(syncs: readonly Sync[]): void {
    if (this.#syncs !== null && isSameStored(syncs, this.#syncs)) return;
    this.#syncs = syncs;
    this.#take(storedApprovalsOf(syncs));
  }

  #take(stored: StoredApprovals): void {
    const text = JSON.stringify([[...stored.lists], [...stored.hidden]]);
    if (this.#current !== null && text === this.#text) return;
    const before = this.#current ?? NOTHING_STORED;
    [this.#current, this.#text] = [stored, text];
    this.#tell(before, stored);
    this.#resolveKnown();
    for (const listener of this.#listeners) listener();
  }

  #tell({ hidden: before }: StoredApprovals, stored: StoredApprovals): void {
    for (const [name, repository] of stored.hidden) if (!before.has(name)) this.#options.onHidden?.(repository, stored);
    for (const [name, repository] of before) if (!stored.hidden.has(name)) this.#options.onShown?.(repository, stored);
  }
}
