import type { ApprovedRepositories, Deadlines, SyncReader, SyncTimes } from '@vitrine/core';

/** Answers are whole without them, so they do not wait for them for long. */
const DEADLINE_MS = 500;
/** A context that no client can abort, because other requests use the same records. */
const DETACHED = new AbortController().signal;

/** Every request needs the sync records. They are read once for each set of approved repositories, and again after {@link forget}. */
export class KeptSyncReader implements SyncReader {
  readonly #reader: SyncReader;
  readonly #deadlines: Deadlines;
  readonly #isTold: boolean;
  readonly #kept = new Map<string, Promise<readonly SyncTimes[]>>();

  /** @param isTold whether `forget` is called when they change. Otherwise only requests at the same time share them. */
  constructor(reader: SyncReader, deadlines: Deadlines, isTold: boolean) {
    this.#reader = reader;
    this.#deadlines = deadlines;
    this.#isTold = isTold;
  }

  list(approved: ApprovedRepositories | null): Promise<readonly SyncTimes[]> {
    const key = approved === null ? '-' : `=${approved.revision}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const syncs = this.#deadlines.run(DEADLINE_MS, DETACHED, (signal) => this.#reader.list(approved, { signal }));
    this.#keep(key, syncs);
    return syncs;
  }

  /** The next answer reads them again. */
  forget(): void {
    this.#kept.clear();
  }

  #keep(key: string, syncs: Promise<readonly SyncTimes[]>): void {
    // Only the newest revision is asked for again.
    for (const other of this.#kept.keys()) if (other !== '-' && key !== '-') this.#kept.delete(other);
    this.#kept.set(key, syncs);
    const drop = (): void => {
      if (this.#kept.get(key) === syncs) this.#kept.delete(key);
    };
    syncs.then(this.#isTold ? undefined : drop, drop);
  }
}
