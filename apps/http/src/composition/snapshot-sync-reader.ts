import { SECOND, type ApprovedRepositories, type Clock, type Deadlines, type Instant, type SyncTimes, type SyncReader } from '@vitrine/core';

const KEPT_MS = 5 * SECOND;
/** Answers are whole without them, so they do not wait for them for long. */
const DEADLINE_MS = 500;
/** A context that no client can abort, because other requests use the same snapshot. */
const DETACHED = new AbortController().signal;

interface Snapshot {
  readonly takenAt: Instant;
  readonly syncs: Promise<readonly SyncTimes[]>;
}

/** Every request needs the sync records, and they change only every few seconds. So they are read once in 5 s for each set of approved repositories. */
export class SnapshotSyncReader implements SyncReader {
  readonly #reader: SyncReader;
  readonly #deadlines: Deadlines;
  readonly #clock: Clock;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(reader: SyncReader, deadlines: Deadlines, clock: Clock) {
    this.#reader = reader;
    this.#deadlines = deadlines;
    this.#clock = clock;
  }

  list(approved: ApprovedRepositories | null): Promise<readonly SyncTimes[]> {
    const key = approved === null ? '-' : `=${approved.revision}`;
    const now = this.#clock.now();
    const known = this.#snapshots.get(key);
    if (known !== undefined && now >= known.takenAt && now - known.takenAt < KEPT_MS) return known.syncs;
    const syncs = this.#deadlines.run(DEADLINE_MS, DETACHED, (signal) => this.#reader.list(approved, { signal }));
    this.#keep(key, { takenAt: now, syncs });
    return syncs;
  }

  /** The next answer reads them again. */
  forget(): void {
    this.#snapshots.clear();
  }

  #keep(key: string, snapshot: Snapshot): void {
    // Only the newest revision is asked for again.
    for (const other of this.#snapshots.keys()) if (other !== '-' && key !== '-') this.#snapshots.delete(other);
    this.#snapshots.set(key, snapshot);
    snapshot.syncs.catch(() => {
      if (this.#snapshots.get(key) === snapshot) this.#snapshots.delete(key);
    });
  }
}
