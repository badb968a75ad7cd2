import {
  follow,
  isApprovedChange,
  NO_REPOSITORY,
  nameOfRef,
  type ChangeFeed,
  type ChangesSince,
  type ServiceBoard,
  type StoreChange,
  type ApprovedRepositories,
  type Deadlines,
  type SyncReader,
  type SyncTimes,
} from '@vitrine/core';
import type { Answers } from '../serving/request.js';
import type { RememberedApproval } from '../serving/permission.js';
import type { Topics } from '../serving/cache.js';
import type { PresentPlaces } from '../views/present-places.js';

/** What keeps data that a write can change. */
export interface Followers {
  readonly answers: Pick<Answers, 'outdate'>;
  readonly syncs: Pick<KeptSyncReader, 'forget'>;
  readonly board: Pick<ServiceBoard, 'hear' | 'forget'>;
  readonly places: Pick<PresentPlaces, 'hear'>;
  readonly approved: RememberedApproval;
}

/**
 * Ends every kept answer that a write to the store may have changed, as soon as readers see the write.
 *
 * @param onError hears that the feed cannot be read at the moment. Kept answers are then sent until they expire.
 * @returns a function that ends this
 */
export function followChanges(changeFeed: ChangeFeed, followers: Followers, onError: (error: unknown) => void): () => void {
  return follow(
    { changeFeed },
    (news) => {
      outdate(news, followers);
    },
    (error) => {
      followers.syncs.forget();
      followers.board.forget();
      onError(error);
    },
  );
}

/** Ends the answers that changes may affect, when a search index beside the store has them. */
export function outdateFound(changes: readonly StoreChange[], { answers, approved }: Pick<Followers, 'answers' | 'approved'>): void {
  const seen = changes.filter(admittedBy(approved));
  if (seen.length > 0) answers.outdate((topics) => seen.some((change) => concerns(change, topics)));
}

/** Ends the answers that the changes may affect. */
export function outdate({ isTooOld, changes }: Omit<ChangesSince, 'position'>, { answers, syncs, board, places, approved }: Followers): void {
  board.hear({ isTooOld, changes });
  const seen = changes.filter(admittedBy(approved));
  places.hear({ isTooOld, changes: seen });
  if (isTooOld || seen.some(({ kind }) => kind === 'sync')) syncs.forget();
  if (isTooOld) answers.outdate(() => true);
  else if (seen.length > 0) answers.outdate((topics) => seen.some((change) => concerns(change, topics)));
}

/**
 * A write to a repository that is not approved must change nothing that a client can see, not even the age of an answer. While the permission cannot be
 * read, the last one counts, because answers are kept under it.
 */
function admittedBy(approved: RememberedApproval): (change: StoreChange) => boolean {
  const permission = approved.currentOrLast();
  return (change) => (permission === null ? change.repositoryRef === NO_REPOSITORY : isApprovedChange(change, permission));
}

function concerns(change: StoreChange, topics: Topics): boolean {
  if (!isWithin(change, topics)) return false;
  return topics.kinds.has(change.kind) || isFedBy(change, topics);
}

function isWithin({ repositoryRef }: StoreChange, { repository }: Topics): boolean {
  return repository === null || repositoryRef === null || repositoryRef === NO_REPOSITORY || nameOfRef(repositoryRef) === repository;
}

function isFedBy({ repositoryRef, sync }: StoreChange, { kinds }: Topics): boolean {
  if (sync === null || sync.onlyAttempts) return false;
  // Each source of a repository sets its `lastSyncedAt`, which is shown beside records of every kind.
  return sync.feeds.some((kind) => kinds.has(kind)) || (repositoryRef !== NO_REPOSITORY && kinds.has('repository'));
}

/** Answers are whole without them, so they do not wait for them for long. */
const DEADLINE_MS = 500;
/** A context that no client can abort, because other requests use the same records. */
const DETACHED = new AbortController().signal;

/** Every request needs the sync records. They are read once for each set of approved repositories, and again after {@link forget}. */
export class KeptSyncReader implements SyncReader {
  readonly #kept = new Map<string, Promise<readonly SyncTimes[]>>();

  /** @param isTold whether `forget` is called when they change. Otherwise only requests at the same time share them. */
  constructor(
    private readonly reader: SyncReader,
    private readonly deadlines: Deadlines,
    private readonly isTold: boolean,
  ) {}

  list(approved: ApprovedRepositories | null): Promise<readonly SyncTimes[]> {
    const key = approved === null ? '-' : `=${approved.revision}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const syncs = this.deadlines.run(DEADLINE_MS, DETACHED, (signal) => this.reader.list(approved, { signal }));
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
    syncs.then(this.isTold ? undefined : drop, drop);
  }
}
