import type { Approvals } from '@vitrine/config';
import { follow, formatInstant, SECOND, type ChangeFeed, type ChangesSince, type ConfigurationReader, type Sync } from '@vitrine/core';
import { wouldApprove, isStoredApproval, NOTHING_STORED, storedApprovalsOf, type StoredApprovals } from './approvals.js';
import { RepeatedProblems, type WatchLog } from './news.js';

export interface WatchedApprovalsOptions {
  readonly reader: ConfigurationReader;
  /** Tells when to read again. Without it, everything is read once a second. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** Those of the configuration; may throw. The log names only repositories that they approve. */
  readonly approvals: () => Approvals;
  readonly log: WatchLog;
  /** What the log gets of an error of the store. */
  readonly factsOf: (error: unknown) => object;
}

/** After a failure, and always without a feed. With the limit of a read, a change is seen within five seconds. */
const POLL_MS = SECOND;
const READ_MS = 3 * SECOND;
/** Until the first read has succeeded, nothing can be answered. */
const FIRST_POLL_MS = 100;

/** What collectors have stored about approved repositories, read when the feed of changes tells of it, or once a second, and logged. A read that fails changes nothing. */
export class WatchedApprovals {
  /** Resolves when the first read has succeeded. */
  readonly known: Promise<void>;
  readonly #stopping = new AbortController();
  readonly #listeners: (() => void)[] = [];
  readonly #failures = new RepeatedProblems();
  #resolveKnown: () => void = () => undefined;
  #current: StoredApprovals | null = null;
  /** The ids and states that were read last. To compare them takes far less time than to parse long lists. */
  #text: string | null = null;
  #reading: Promise<void> | null = null;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: () => void = () => undefined;

  constructor(private readonly options: WatchedApprovalsOptions) {
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
    const { changeFeed } = this.options;
    // A read that is running may have begun before the change.
    const again = (): unknown => (this.#reading ?? Promise.resolve()).then(this.#watch);
    // While the feed cannot be read, `again` is called once a second.
    if (changeFeed !== undefined) this.#unfollow = follow({ changeFeed }, (news) => concernsApprovals(news) && again(), again);
    this.#watch();
  }

  stop(): void {
    this.#stopping.abort();
    this.#unfollow();
    clearTimeout(this.#timer);
  }

  /** Reads once. Never rejects. */
  poll(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  readonly #watch = (): void => {
    if (this.#stopping.signal.aborted) return;
    void this.poll().finally(() => {
      clearTimeout(this.#timer);
      const isTold = this.options.changeFeed !== undefined && !this.#hasFailed;
      if (isTold || this.#stopping.signal.aborted) return;
      this.#timer = setTimeout(this.#watch, this.#current === null ? FIRST_POLL_MS : POLL_MS).unref();
    });
  };

  async #read(): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(READ_MS)]);
    try {
      this.#take((await this.options.reader.list({ signal })).filter(isStoredApproval));
      this.#hasFailed = false;
      const { isOver } = this.#failures.now('store', []);
      if (isOver) this.options.log.info({}, 'lists of owners and hidden repositories can be read from the store again');
    } catch (error) {
      this.#hasFailed = true;
      if (!this.#stopping.signal.aborted) this.#tellFailure(error);
    }
  }

  #take(syncs: readonly Sync[]): void {
    const text = JSON.stringify(syncs.map(({ id, state }) => [id, state]));
    if (text === this.#text) return;
    const { hidden: before } = this.#current ?? NOTHING_STORED;
    [this.#current, this.#text] = [storedApprovalsOf(syncs), text];
    this.#tellHidden(before, this.#current);
    this.#resolveKnown();
    for (const listener of this.#listeners) listener();
  }

  #tellHidden(before: StoredApprovals['hidden'], stored: StoredApprovals): void {
    const { log } = this.options;
    for (const { name, reason, since } of stored.hidden.values()) {
      if (before.has(name) || !this.#isOurs(name, stored)) continue;
      const facts = { repository: name, reason, since: formatInstant(since) };
      log.warn(facts, 'a repository is HIDDEN from all answers, because its forge does not show it to everybody any more');
    }
    for (const name of before.keys())
      if (!stored.hidden.has(name) && this.#isOurs(name, stored)) log.warn({ repository: name }, 'a repository is not hidden any more');
  }

  #isOurs(name: string, stored: StoredApprovals): boolean {
    try {
      return wouldApprove(this.options.approvals(), stored, name);
    } catch {
      // The list cannot be read, so nothing is shown.
      return false;
    }
  }

  #tellFailure(error: unknown): void {
    if (this.#failures.now('store', [String(error)]).begun.length === 0) return;
    const consequence = this.#current === null ? 'until they can, no repository is shown or collected' : 'the last known ones serve';
    this.options.log.warn(this.options.factsOf(error), `lists of owners and hidden repositories cannot be read from the store; ${consequence}`);
  }
}

function concernsApprovals({ isTooOld, changes }: ChangesSince): boolean {
  return isTooOld || changes.some(({ kind, key }) => kind === 'sync' && (key === null || isStoredApproval({ id: key })));
}
