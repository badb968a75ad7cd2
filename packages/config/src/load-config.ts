import { dirname, isAbsolute, join } from 'node:path';
import type { Approvals } from './approvals.js';
import { crossCheckApproved } from './approved-checks.js';
import { approvalsOf, approvedSchema } from './approved-schema.js';
import { problemsOf, type Problem } from './validation/problems.js';
import type { Config, SiteConfig, StoreConfig } from './config.js';
import { ConfigError } from './config-error.js';
import { configSchema, type ConfigFile } from './config-schema.js';
import { crossCheck, skippedSources } from './cross-checks.js';
import { readEnvironment, type Environment, type Overrides } from './environment.js';
import { sourceConfigs } from './source-config.js';
import { YamlFile } from './yaml-file.js';

export interface ConfigInput {
  /** The file's content. */
  readonly text: string;
  /** The path of the file. Messages name it, and relative paths are resolved against its folder. */
  readonly file: string;
  readonly env: Environment;
}

/**
 * Creates the configuration from the text of a file and the environment. Reads no file. Throws one {@link ConfigError} that lists every problem. A git source
 * whose repository is not approved is not a problem: it is skipped, with a warning.
 */
export function loadConfig({ text, file, env }: ConfigInput): Config {
  const { overrides, problems } = readEnvironment(env);
  const yaml = parsed(text, file, problems);
  if (yaml.value === null) throw new ConfigError([...yaml.describe([{ path: [], message: 'is empty; write at least approved: []' }]), ...problems]);
  const result = configSchema.safeParse(yaml.value);
  const found: readonly Problem[] = [
    ...(result.success ? [] : problemsOf(result.error.issues, yaml.value)),
    ...crossCheck(yaml.value, env),
    ...yaml.duplicateKeys(),
  ];
  if (!result.success || found.length > 0 || problems.length > 0) throw new ConfigError([...yaml.describe(found), ...problems]);
  const approvals = approvalsOf(result.data.approved);
  const warnings = yaml.describe(skippedSources(yaml.value, approvals.patterns));
  return deepFreeze({ ...configOf(result.data, file, overrides, approvals), warnings });
}

/** Reads only what a configuration file approves, even if other keys are invalid. It may be nothing. Throws a {@link ConfigError} if it is missing or malformed. */
export function readAllowlist({ text, file }: Pick<ConfigInput, 'text' | 'file'>): Approvals {
  const yaml = new YamlFile(text, file);
  const result = approvedSchema.safeParse(yaml.value);
  const twice = yaml.duplicateKeys().filter((problem) => problem.path[0] === 'approved');
  const found = [...(result.success ? [] : problemsOf(result.error.issues, yaml.value)), ...crossCheckApproved(yaml.value), ...twice];
  if (!result.success || found.length > 0) throw new ConfigError(yaml.describe(found));
  return deepFreeze(approvalsOf(result.data.approved));
}

function parsed(text: string, file: string, problems: readonly string[]): YamlFile {
  try {
    return new YamlFile(text, file);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.problems, ...problems]) : error;
  }
}

function configOf(data: ConfigFile, file: string, overrides: Overrides, approvals: Approvals): Omit<Config, 'warnings'> {
  const { logLevel = 'info' } = overrides;
  const located = (path: string) => (isAbsolute(path) ? path : join(dirname(file), path));
  return {
    file,
    publicUrl: data.publicUrl ?? null,
    server: serverOf(data.server, overrides),
    limits: data.limits,
    site: siteOf(data.site, located),
    logLevel,
    store: storeOf(data.store, overrides, located),
    cache: data.cache === undefined ? null : located(data.cache),
    ...approvals,
    sources: sourceConfigs(data.sources, approvals, located),
    services: data.services,
    canary: data.canary ?? null,
    heartbeats: data.heartbeats ?? null,
  };
}

function serverOf(server: ConfigFile['server'], { port = server.port, host = server.host }: Overrides): Config['server'] {
  const { keepAlive: keepAliveMs, cacheAnswers, purgeHeader = null, trustProxy = null } = server;
  return { port, host, keepAliveMs, cacheAnswers, purgeHeader, trustProxy };
}

function siteOf(given: ConfigFile['site'], located: (path: string) => string): SiteConfig | null {
  if (given === null) return null;
  const { description = null, logo, accent = null, footer = null, ...site } = given;
  return { ...site, description, logo: logo === undefined ? null : located(logo), accent, footer };
}

function storeOf({ path, mongodb, retention }: ConfigFile['store'], overrides: Overrides, located: (path: string) => string): StoreConfig {
  const address = overrides.mongodb ?? mongodb;
  if (address !== undefined) return { kind: 'mongodb', ...address, retentionMs: retention };
  return { kind: 'embedded', path: path === null ? null : located(path), retentionMs: retention };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
