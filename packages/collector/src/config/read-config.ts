import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { configFile, type Environment } from './environment.js';
import { loadConfig } from './load-config.js';

/** Reads the configuration file that the environment names. Rejects with a {@link ConfigError}, also when there is no such file. */
export async function readConfig(env: Environment): Promise<Config> {
  const file = configFile(env);
  return loadConfig({ text: await textOf(file), file, env });
}

/** Where the sources of a configuration keep what they can make anew: in the data folder, or among temporary files. Absolute. */
export function cacheFolder({ store }: Config): string {
  return store.kind === 'mongodb' || store.path === null ? join(tmpdir(), 'vitrine-clones') : resolve(store.path, 'clones');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError([`${file}: cannot be read (${reason}); write a configuration file there, or name another one in VITRINE_CONFIG`]);
  }
}
