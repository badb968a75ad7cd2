import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { configFile, type Environment } from './environment.js';
import { loadConfig } from './load-config.js';

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

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError([`${file}: cannot be read (${reason}); write a configuration file there, or name another one in VITRINE_CONFIG`]);
  }
}
