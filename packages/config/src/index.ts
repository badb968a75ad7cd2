export {
  type Config,
  type EmbeddedStoreConfig,
  type FeedSourceConfig,
  type FilesSourceConfig,
  type ForgeSourceConfig,
  type GitSourceConfig,
  type IncidentsSourceConfig,
  type MongoStoreConfig,
  type RecordsSourceConfig,
  type SourceConfig,
  type StatuspageSourceConfig,
  type StoreConfig,
  type VideoSourceConfig,
} from './config.js';
export type { LimitsConfig, SiteConfig } from './server-schema.js';
export {
  type CanaryConfig,
  type DnsServiceConfig,
  type ExpectConfig,
  type HeaderConfig,
  type HeartbeatsConfig,
  type HeartbeatServiceConfig,
  type HttpServiceConfig,
  type ReachedServiceConfig,
  type SelfServiceConfig,
  type ServiceConfig,
  type TcpServiceConfig,
} from './services/service-schema.js';
export { type Approvals, type OwnerPattern } from './approvals.js';
export { ConfigError } from './config-error.js';
export { parseDuration } from './duration.js';
export { configFile, LOG_LEVELS, MONGODB_URI, type Environment, type LogLevel } from './environment.js';
export { type GitLocation } from './git-location.js';
export { draftConfig, type ConfigDraft, type DraftedConfig } from './init/draft-config.js';
export { type ForeignChecks } from './init/foreign-check.js';
export { readForeignChecks } from './init/read-foreign-checks.js';
export { loadConfig, readAllowlist, type ConfigInput } from './load-config.js';
export { cacheFolder, readConfig, readConfigFile, searchFolder } from './load-config.js';
