export {
  LOG_LEVELS,
  type Config,
  type EmbeddedStoreConfig,
  type GitSourceConfig,
  type LimitsConfig,
  type LogLevel,
  type MongoStoreConfig,
  type RecordsSourceConfig,
  type ServiceConfig,
  type SiteConfig,
  type SourceConfig,
  type StoreConfig,
} from './config.js';
export { ConfigError } from './config-error.js';
export { parseDuration } from './duration.js';
export { configFile, MONGODB_URI, type Environment } from './environment.js';
export { type GitLocation } from './git-location.js';
export { loadConfig, readAllowlist, type ConfigInput } from './load-config.js';
export { cacheFolder, readConfig, readConfigFile } from './read-config.js';
