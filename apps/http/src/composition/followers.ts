import {
  follow,
  isApprovedChange,
  NO_REPOSITORY,
  nameOfRef,
  type ChangeFeed,
  type ChangesSince,
  type ServiceBoard,
  type StoreChange,
} from '@vitrine/core';
import type { Answers, RememberedApproval } from '../serving/request.js';
import type { Topics } from '../serving/cache.js';
import type { KeptSyncReader } from '../serving/store-guard.js';
import type { PresentPlaces } from '../views/present-places.js';

/** What keeps data that a write can change. */
export interface Followers {
  readonly answers: Pick<Answers, 'outdate'>;
  readonly syncs: Pick<KeptSyncReader, 'forget'>;
  readonly places: Pick<PresentPlaces, 'forget'>;
  readonly board: Pick<ServiceBoard, 'hear' | 'forget'>;
  readonly approved: RememberedApproval;
  /** Hears that everything may have changed, such as when the feed of changes begins. */
  readonly onTooOld?: () => void;
}

/** Ends every kept answer that a write may have changed. @param onError hears that the feed cannot be read; answers are then sent until they expire */
export function followChanges(changeFeed: ChangeFeed, followers: Followers, onError: (error: unknown) => void): () => void {
  return follow(
    { changeFeed },
    (news) => outdate(news, followers),
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

export function outdate({ isTooOld, changes }: Omit<ChangesSince, 'position'>, followers: Followers): void {
  const { answers, syncs, places, board, approved, onTooOld } = followers;
  board.hear({ isTooOld, changes });
  if (isTooOld) {
    onTooOld?.();
    syncs.forget();
    places.forget();
    answers.outdate(() => true);
    return;
  }
  const seen = changes.filter(admittedBy(approved));
  if (seen.some(({ kind }) => kind === 'sync')) syncs.forget();
  if (seen.length === 0) return;
  places.forget();
  answers.outdate((topics) => seen.some((change) => concerns(change, topics)));
}

/** A write to a repository that is not approved must change nothing that a client sees, not even the age of an answer. */
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
