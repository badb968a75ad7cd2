export type { RunReport, Source, SourceContext } from './source.js';
export {
  LOG_LEVELS,
  type Config,
  type EmbeddedStoreConfig,
  type GitSourceConfig,
  type LogLevel,
  type MongoStoreConfig,
  type RecordsSourceConfig,
  type ServiceConfig,
  type SourceConfig,
  type StoreConfig,
} from './config/config.js';
export { ConfigError } from './config/config-error.js';
export { parseDuration } from './config/duration.js';
export { configFile, type Environment } from './config/environment.js';
export { loadConfig, readAllowlist, type ConfigInput } from './config/load-config.js';
export { cacheFolder, readConfig, readConfigFile } from './config/read-config.js';
export { describeRun } from './describe-run.js';
export { ConfiguredSources, createSources, type SourcesOptions } from './create-sources.js';
export { endProcess, endProcessNow } from './process/end-process.js';
export { descriptorWriter, LineOutput, streamWriter } from './process/line-output.js';
export { pathProblems, type PathProblemsOptions } from './path-problems.js';
export { exportRecords, type ExportOptions } from './records/export-records.js';
export { importRecords, type ImportOptions, type ImportReport } from './records/import-records.js';
export { loadDemo, type Demo } from './records/load-demo.js';
export { RecordsFileError } from './records/records-file-error.js';
export { RecordsSource, type RecordsSourceOptions } from './records/records-source.js';
export { Scheduler, type RunOutcome, type SchedulerOptions } from './scheduler.js';
export { SelfCheckSource, type SelfCheckOptions } from './self-check/self-check-source.js';
export { ServicesSource } from './self-check/services-source.js';
export { GitError } from './git/git-error.js';
export { parseGitLocation, type GitLocation } from './git/git-location.js';
export { GitSource, type GitSourceOptions } from './git/git-source.js';
