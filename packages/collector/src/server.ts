// The exports for a server whose collector is another process. They load no source and no parser of foreign texts.
export { CurrentApproval } from './approvals/current-approval.js';
export { GitError } from './git/git-error.js';
export { IncidentFolderError } from './incidents/incident-folder-error.js';
export { endProcess, endProcessNow } from './process/end-process.js';
export { leaseHolder } from './process/lease-holder.js';
export { descriptorWriter, LineOutput, streamWriter } from './process/line-output.js';
export { RecordsFileError } from './records/records-file-error.js';
export { RepeatedProblems } from './watching/repeated-problems.js';
export type { StoredNow } from './watching/sources-now.js';
export { watchApprovals } from './watching/watch-approvals.js';
export { watchConfiguration } from './watching/watch-configuration.js';
export type { WatchLog } from './watching/watch-log.js';
export type { CollectedNow } from './watching/watched-sources.js';
