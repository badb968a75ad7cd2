import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SECOND } from '@vitrine/core';
import { errorCodeOf, FileError, readWholeFile, OutOfTimeError, withinTime } from './files/open-regular-file.js';
import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { configFile, type Environment } from './environment.js';
import { loadConfig } from './load-config.js';
import { MOST_CONFIG_BYTES } from './yaml-file.js';

const PATIENCE_MS = 10 * SECOND;

/** Reads the configuration file that the environment names. Rejects with a {@link ConfigError} if the file is missing or invalid. */
export async function readConfig(env: Environment): Promise<Config> {
  const file = configFile(env);
  return loadConfig({ text: await textOf(file), file, env });
}

/**
 * The absolute path of the folder for clones, which can be created again: in the folder of `cache`, otherwise in the data folder, otherwise in the user's own
 * cache folder. Never in the folder for temporary files, because every user of the machine can write there.
 */
export function cacheFolder({ cache, store }: Pick<Config, 'cache' | 'store'>, env: Environment): string {
  const dataFolder = store.kind === 'mongodb' ? null : store.path;
  return resolve(cache ?? dataFolder ?? join(userCache(env), 'vitrine'), 'clones');
}

/** The absolute path of the folder for search indexes of databases, which can be created again: beside the folder for clones. */
export function searchFolder(config: Pick<Config, 'cache' | 'store'>, env: Environment): string {
  return resolve(cacheFolder(config, env), '..', 'search');
}

/** The XDG base directory rules: a relative path is ignored. */
function userCache({ XDG_CACHE_HOME = '', HOME = '' }: Environment): string {
  return isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(isAbsolute(HOME) ? HOME : homedir(), '.cache');
}

/** Reads a configuration file. Rejects with a {@link ConfigError} if it cannot be read or is not a regular file. Never settles if the file system hangs. */
export async function readConfigFile(file: string): Promise<Buffer> {
  try {
    return await readWholeFile(file, MOST_CONFIG_BYTES);
  } catch (error) {
    throw new ConfigError([`${file}: ${problemOf(error)}`]);
  }
}

const REMEDY = 'write a configuration file there, or name another one in VITRINE_CONFIG';

function problemOf(error: unknown): string {
  if (error instanceof FileError) return `${error.problem}; ${REMEDY}`;
  const code = errorCodeOf(error) ?? 'unknown';
  if (TOO_MANY_OPEN.includes(code)) return `cannot be opened, because too many files are open; raise the limit (ulimit -n)`;
  if (DENIED.includes(code)) return `cannot be read (${code}), because this user may not; let this user read the file and enter its folder`;
  return `cannot be read (${code}); ${REMEDY}`;
}

const TOO_MANY_OPEN = ['EMFILE', 'ENFILE'];
const DENIED = ['EACCES', 'EPERM'];

async function textOf(file: string): Promise<string> {
  try {
    return (await withinTime(readConfigFile(file), PATIENCE_MS)).toString();
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    throw new ConfigError([
      `${file}: did not answer within ${String(PATIENCE_MS / SECOND)} s; check the disk or the network file system that holds it`,
    ]);
  }
}
