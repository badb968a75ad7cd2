// The exports for a server whose collector is another process. They load no source and no parser of foreign texts.
export { CurrentApproval } from './running/approvals.js';
export { loadConfig, readConfig } from './configuration/load-config.js';
export { endProcess, endProcessNow, leaseHolder, STOPPING, stopOnSignals } from './running/end-process.js';
export { descriptorWriter, LineOutput, streamWriter } from './running/line-output.js';
export { RepeatedProblems } from './running/news.js';
export { WatchedApprovals } from './running/watched-approvals.js';
export { watchConfiguration, type WatchedConfiguration } from './running/watched-configuration.js';
export type { WatchLog } from './running/news.js';
