export {
  aBuild,
  aChange,
  aCommit,
  aFinding,
  aMission,
  anArticle,
  aProvenance,
  aRelease,
  aRepository,
  aRepositoryRecord,
  aSync,
  aVideo,
  NOW,
  someNews,
} from './builders.js';
export { evidenceFrom } from './evidence-from.js';
export { aCheck, anIncident, aService, aStatusDay } from './status-builders.js';
export { withIndex, type IndexBeside } from './with-index.js';
export { StandingClock, type ContractCase, type ContractOptions, type OpenStore } from './contract.js';
export { activityContract } from './contracts/activity.js';
export { changeFeedContract, type ChangeFeedOptions } from './contracts/change-feed.js';
export { followedWritesContract, type FollowedWritesOptions } from './contracts/followed-writes.js';
export { checkContract } from './contracts/checks.js';
export { checkedDaysContract } from './contracts/checked-days.js';
export { damagedRecordContract, lostStoreContract } from './contracts/faults.js';
export { noninterferenceContract } from './contracts/noninterference.js';
export { approvedSearchContract } from './contracts/approved-search.js';
export { repositoryContract } from './contracts/repositories.js';
export { recordScanContract, type RecordScanOptions } from './contracts/record-scan.js';
export { searchContract } from './contracts/search.js';
export { singleRecordContract } from './contracts/single-records.js';
export { storeContract } from './contracts/store.js';
export { statusContract } from './contracts/status.js';
export { timeListContract } from './contracts/time-lists.js';
export { vouchingContract } from './contracts/vouching.js';
export { oneOfEach, writingContract } from './contracts/writing.js';
export type { DamageableStore, KindContractOptions, KindStore, LosableStore, ReaderOfKind, SomeKindsOptions } from './kind-store.js';
export { LIST_SPECS, type ListSpec, type FilterValues } from './list-specs.js';
export { CANARY, randomRecords, withCanary } from './random-world.js';
export { Random } from './random.js';
