export type { RunReport, Source, SourceContext } from './source.js';
export { LOG_LEVELS, type Config, type GitSourceConfig, type LogLevel, type RecordsSourceConfig, type ServiceConfig, type SourceConfig } from './config/config.js';
export { ConfigError } from './config/config-error.js';
export { configFile, type Environment } from './config/environment.js';
export { loadConfig, readAllowlist, type ConfigInput } from './config/load-config.js';
