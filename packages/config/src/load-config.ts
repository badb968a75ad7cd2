import { remembered, SECOND } from '@vitrine/core';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Approvals, approvalsOf, approved, approvedSchema, crossCheckApproved } from './approvals.js';
import { connectionString, ownAddress, path, readPath } from './config-fields.js';
import type { Config, StoreConfig } from './config.js';
import { crossCheck, skippedSources } from './cross-checks.js';
import { duration } from './duration.js';
import { configFile, type Environment, MONGODB, type Overrides, readEnvironment } from './environment.js';
import { errorCodeOf, FileError, OutOfTimeError, readWholeFile, withinTime } from './files/open-regular-file.js';
import { limits, server, site } from './server-schema.js';
import { canary, heartbeats, service } from './services/service-schema.js';
import { sourceConfigs, type SourceKinds, sourceOf } from './source-file.js';
import { ConfigError, leafOrNull, list, object, orNull, type Problem, problemsOf } from './validation/problems.js';
import { MOST_CONFIG_BYTES } from './heavy-yaml.js';
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
 *
 * @param kinds the kinds of sources; `loadConfig` of `@vitrine/collector` passes its own
 */
export function loadConfig({ text, file, env }: ConfigInput, kinds: SourceKinds): Config {
  const { overrides, problems: ofEnvironment } = readEnvironment(env);
  const problems = [...undecodedLine(text, file), ...ofEnvironment];
  const yaml = parsed(text, file, problems);
  if (yaml.value === null) throw new ConfigError([...yaml.describe([{ path: [], message: 'is empty; write at least approved: []' }]), ...problems]);
  const result = schemaOf(kinds).safeParse(yaml.value);
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

const MOST_SOURCES = 100_000;

/** The word `mongodb` takes the address from the environment. */
const store = z.preprocess(
  (value) => (value === MONGODB ? {} : value),
  object('the word mongodb, or path and retention, or mongodb and retention below it, or remove the key', {
    path: leafOrNull('the path of a folder', readPath).default('.vitrine'),
    mongodb: orNull(connectionString),
    retention: duration('366d', '3650d').prefault('400d'),
  }),
);

/** The shape of the configuration file. `cross-checks.ts` has the rules between its parts. */
function configSchema(kinds: SourceKinds) {
  return object('the keys approved, sources, services, canary, heartbeats, store, cache, server, limits, site and publicUrl', {
    publicUrl: orNull(ownAddress),
    server: server.prefault({}),
    limits: limits.prefault({}),
    site: site.prefault({}),
    store: store.prefault({}),
    cache: orNull(path),
    approved,
    sources: list('sources, each after a dash, or remove the key', sourceOf(kinds), MOST_SOURCES).default([]),
    services: list('services, each after a dash, or remove the key', service, 1_000).default([]),
    canary: orNull(canary),
    heartbeats: orNull(heartbeats),
  });
}

type ConfigFile = z.output<ReturnType<typeof configSchema>>;

/** To make a schema takes much longer than to use it. */
const schemaOf = remembered(10, configSchema);

/** Reads only what a configuration file approves, even if other keys are invalid. It may be nothing. Throws a {@link ConfigError} if it is missing or malformed. */
export function readAllowlist({ text, file }: Pick<ConfigInput, 'text' | 'file'>): Approvals {
  const yaml = new YamlFile(text, file);
  const result = approvedSchema.safeParse(yaml.value);
  const twice = yaml.duplicateKeys().filter((problem) => problem.path[0] === 'approved');
  const found = [...(result.success ? [] : problemsOf(result.error.issues, yaml.value)), ...crossCheckApproved(yaml.value), ...twice];
  if (!result.success || found.length > 0) throw new ConfigError(yaml.describe(found));
  return deepFreeze(approvalsOf(result.data.approved));
}

/** Bytes that are no text became U+FFFD, which pages would show. */
function undecodedLine(text: string, file: string): readonly string[] {
  const before = text.split('\uFFFD', 2);
  const line = before[0]?.split('\n').length;
  return before.length === 1 ? [] : [`${file}:${String(line)}: is not UTF-8; save the file in this encoding`];
}

function parsed(text: string, file: string, problems: readonly string[]): YamlFile {
  try {
    return new YamlFile(text, file);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.problems, ...problems]) : error;
  }
}

function configOf(data: ConfigFile, file: string, overrides: Overrides, approvals: Approvals): Omit<Config, 'warnings'> {
  const { logLevel = 'info', port = data.server.port, host = data.server.host } = overrides;
  const located = (path: string) => (isAbsolute(path) ? path : join(dirname(file), path));
  return {
    ...{ ...data, ...approvals, file, logLevel },
    server: { ...data.server, port, host },
    site: data.site?.logo ? { ...data.site, logo: located(data.site.logo) } : data.site,
    store: storeOf(data.store, overrides, located),
    cache: data.cache === null ? null : located(data.cache),
    sources: sourceConfigs(data.sources, approvals, located),
  };
}

function storeOf({ path, mongodb, retention }: ConfigFile['store'], overrides: Overrides, located: (path: string) => string): StoreConfig {
  const address = overrides.mongodb ?? mongodb;
  if (address !== null) return { kind: 'mongodb', ...address, retentionMs: retention };
  return { kind: 'embedded', path: path === null ? null : located(path), retentionMs: retention };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

const PATIENCE_MS = 10 * SECOND;

/** Reads the configuration file that the environment names. Rejects with a {@link ConfigError} if the file is missing or invalid. */
export async function readConfig(env: Environment, kinds: SourceKinds): Promise<Config> {
  const file = configFile(env);
  const content = await orProblem(file, withinTime(readWholeFile(file, MOST_CONFIG_BYTES), PATIENCE_MS));
  return loadConfig({ text: content.toString(), file, env }, kinds);
}

/**
 * The absolute path of the folder for clones, which can be created again: in the folder of `cache`, otherwise in the data folder, otherwise in the user's own cache folder. Never in
 * the folder for temporary files, because every user of the machine can write there.
 */
export function cacheFolder({ cache, store }: Pick<Config, 'cache' | 'store'>, env: Environment): string {
  return resolve(cache ?? dataFolderOf({ store }) ?? join(userCache(env), 'vitrine'), 'clones');
}

/** The absolute path of the folder for search indexes of databases, which can be created again: beside the folder for clones. */
export function searchFolder(config: Pick<Config, 'cache' | 'store'>, env: Environment): string {
  return resolve(cacheFolder(config, env), '..', 'search');
}

/** The absolute path of the folder in which the embedded store keeps its records; `null` if they are in memory or in MongoDB. */
export function dataFolderOf({ store }: Pick<Config, 'store'>): string | null {
  return store.kind === 'mongodb' ? null : store.path;
}

/** The XDG base directory rules: a relative path is ignored. */
function userCache({ XDG_CACHE_HOME = '', HOME = '' }: Environment): string {
  return isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(isAbsolute(HOME) ? HOME : homedir(), '.cache');
}

/** Reads a configuration file. Rejects with a {@link ConfigError} if it cannot be read or is not a regular file. Never settles if the file system hangs. */
export function readConfigFile(file: string): Promise<Buffer> {
  return orProblem(file, readWholeFile(file, MOST_CONFIG_BYTES));
}

async function orProblem(file: string, reading: Promise<Buffer>): Promise<Buffer> {
  try {
    return await reading;
  } catch (error) {
    throw new ConfigError([`${file}: ${problemOf(error)}`]);
  }
}

const REMEDY = 'write a configuration file there, or name another one in VITRINE_CONFIG';

function problemOf(error: unknown): string {
  if (error instanceof FileError) return `${error.problem}; ${REMEDY}`;
  if (error instanceof OutOfTimeError)
    return `did not answer within ${String(PATIENCE_MS / SECOND)} s; check the disk or the network file system that holds it`;
  const code = errorCodeOf(error) ?? 'unknown';
  if (TOO_MANY_OPEN.includes(code)) return `cannot be opened, because too many files are open; raise the limit (ulimit -n)`;
  if (DENIED.includes(code)) return `cannot be read (${code}), because this user may not; let this user read the file and enter its folder`;
  return `cannot be read (${code}); ${REMEDY}`;
}

const TOO_MANY_OPEN = ['EMFILE', 'ENFILE'];
const DENIED = ['EACCES', 'EPERM'];
