import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SECOND } from '@vitrine/core';
import { errorCodeOf } from './files/error-code.js';
import { FileError } from './files/file-error.js';
import { readWholeFile } from './files/read-whole-file.js';
import { OutOfTimeError, withinTime } from './files/within-time.js';
import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { configFile, type Environment } from './environment.js';
import { loadConfig } from './load-config.js';
import { MOST_CONFIG_BYTES } from './yaml-limits.js';

const PATIENCE_MS = 10 * SECOND;

/** Reads the configuration file that the environment names. Rejects with a {@link ConfigError}, also when there is no such file. */
export async function readConfig(env: Environment): Promise<Config> {
  const file = configFile(env);
  return loadConfig({ text: await textOf(file), file, env });
}

/**
 * Where the sources of a configuration keep what they can make anew: below the folder that `cache` names, else in the data folder, else in
 * the user's own cache folder. Never among temporary files, where every user of the machine may write. Absolute.
 */
export function cacheFolder({ cache, store }: Pick<Config, 'cache' | 'store'>, env: Environment): string {
  const dataFolder = store.kind === 'mongodb' ? null : store.path;
  return resolve(cache ?? dataFolder ?? join(userCache(env), 'vitrine'), 'clones');
}

/** As the XDG base directories say: a relative path does not count. */
function userCache({ XDG_CACHE_HOME = '', HOME = '' }: Environment): string {
  return isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(isAbsolute(HOME) ? HOME : homedir(), '.cache');
}

/** The content of a configuration file. Rejects with a {@link ConfigError} when it cannot be read or is no regular file. May hang as the file system does. */
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
  return TOO_MANY_OPEN.includes(code)
    ? `cannot be opened, because too many files are open; raise the limit (ulimit -n)`
    : `cannot be read (${code}); ${REMEDY}`;
}

const TOO_MANY_OPEN = ['EMFILE', 'ENFILE'];

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
