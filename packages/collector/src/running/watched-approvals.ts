import { follow, SECOND, type ChangeFeed, type ChangesSince, type ConfigurationReader, type Sync } from '@vitrine/core';
import type { HiddenRepository } from './hidden-repository.js';
import { isSameStored, isStoredApproval, NOTHING_STORED, storedApprovalsOf, type StoredApprovals } from './stored-approvals.js';

export interface WatchedApprovalsOptions {
  readonly reader: ConfigurationReader;
  /** Tells when to read again. Without it, everything is read once a second. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** A repository is hidden from now on, also if it was hidden before the first read. It may be one that this process does not approve. */
  readonly onHidden?: (repository: HiddenRepository, stored: StoredApprovals) => void;
  /** A repository is not hidden any more. */
  readonly onShown?: (repository: HiddenRepository, stored: StoredApprovals) => void;
  /** A read has failed. The last result serves until one succeeds. */
  readonly onFailure?: (error: unknown) => void;
  /** A read has succeeded. */
  readonly onSuccess?: () => void;
}

/** After a failure, and always without a feed. With the limit of a read, a change is seen within five seconds. */
const POLL_MS = SECOND;
const READ_MS = 3 * SECOND;
/** Until the first read has succeeded, nothing can be answered. */
const FIRST_POLL_MS = 100;

/** What collectors have stored about approved repositories, read when the feed of changes tells of it, or once a second. A read that fails changes nothing. */
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
  #hasFailed = false;
  #timer: NodeJS.Timeout | null = null;
  #unfollow: () => void = () => undefined;

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

  /** Reads now, and again whenever something may have changed, until it is stopped. */
  start(): void {
    const { changeFeed } = this.#options;
    const again = (): void => {
      // A read that is running may have begun before the change.
      void (this.#reading ?? Promise.resolve()).then(() => {
        this.#watch();
      });
    };
    const hear = (news: ChangesSince): void => {
      if (concernsApprovals(news)) again();
    };
    // While the feed cannot be read, this is called once a second.
    if (changeFeed !== undefined) this.#unfollow = follow({ changeFeed }, hear, again);
    this.#watch();
  }

  stop(): void {
    this.#stopping.abort();
    this.#unfollow();
    this.#wait(null);
  }

  /** Reads once. Never rejects. */
  poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  #watch(): void {
    if (this.#stopping.signal.aborted) return;
    void this.poll().finally(() => {
      const isTold = this.#options.changeFeed !== undefined && !this.#hasFailed;
      const waitMs = this.#current === null ? FIRST_POLL_MS : POLL_MS;
      this.#wait(isTold || this.#stopping.signal.aborted ? null : waitMs);
    });
  }

  /** @param ms until the next read; `null` for none */
  #wait(ms: number | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const read = (): void => {
      this.#watch();
    };
    this.#timer = ms === null ? null : setTimeout(read, ms).unref();
  }

  async #read(): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(READ_MS)]);
    try {
      this.#follow((await this.#options.reader.list({ signal })).filter(isStoredApproval));
      this.#hasFailed = false;
      this.#options.onSuccess?.();
    } catch (error) {
      this.#hasFailed = true;
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

function concernsApprovals({ isTooOld, changes }: ChangesSince): boolean {
  return isTooOld || changes.some(({ kind, key }) => kind === 'sync' && (key === null || isStoredApproval({ id: key })));
}
