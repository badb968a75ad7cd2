export type { Config, EmbeddedStoreConfig, MongoStoreConfig, SourceConfig, StoreConfig } from './config.js';
export type { FeedSourceConfig, FilesSourceConfig, ForgeSourceConfig, GitSourceConfig } from './config.js';
export type { IncidentsSourceConfig, RecordsSourceConfig, StatuspageSourceConfig, VideoSourceConfig } from './config.js';
export type { LimitsConfig, SiteConfig } from './server-schema.js';
export type { CanaryConfig, ExpectConfig, HeaderConfig, HeartbeatsConfig, SelfServiceConfig, ServiceConfig } from './services/service-schema.js';
export type {
  DnsServiceConfig,
  HeartbeatServiceConfig,
  HttpServiceConfig,
  ReachedServiceConfig,
  TcpServiceConfig,
} from './services/service-schema.js';
export { type Approvals, type OwnerPattern } from './approvals.js';
export { ConfigError } from './config-error.js';
export { parseDuration } from './duration.js';
export { unallowedPrivateHosts } from './private-hosts.js';
export { configFile, MONGODB_URI, type Environment, type LogLevel } from './environment.js';
export { type GitLocation } from './git-location.js';
export { draftConfig, type ConfigDraft, type DraftedConfig } from './init/draft-config.js';
export { type ForeignChecks } from './init/foreign-check.js';
export { readForeignChecks } from './init/read-foreign-checks.js';
export { loadConfig, readAllowlist, type ConfigInput } from './load-config.js';
export { cacheFolder, dataFolderOf, readConfig, readConfigFile, searchFolder } from './load-config.js';
