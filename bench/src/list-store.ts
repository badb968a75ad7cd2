import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { nameOfRef } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';
import { shaOf } from './memory-world.js';
import { busyRefs as refs } from './sqlite-world.js';

/** The 20 commits of the list. */
export const LISTED_SHAS: readonly string[] = Array.from({ length: 20 }, (_, serial) => shaOf(serial));

const COMMITS = 1_000;

/**
 * Lines of a configuration file. Requests from this machine are not limited by default. With `counted` they are, by limits that no benchmark reaches.
 */
export const LIMITS = {
  off: 'limits: false\n',
  counted: 'limits: { requestsPerMinute: 1000000000, searchesPerMinute: 1000000000, loopback: true }\n',
} as const;

/** Writes a store with 1,000 commits and a configuration file below a folder. Returns the path of the configuration file. */
export async function writeListStore(folder: string, limits: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'store');
  const context = { signal: new AbortController().signal };
  const store = await openSqliteStore({ clock: { now: () => Date.now() }, path });
  await store.writer.put(
    refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
    context,
  );
  await store.writer.put(
    Array.from({ length: COMMITS }, (_, serial) => commitOf(serial)),
    context,
  );
  await store.close();
  const config = join(folder, 'vitrine.yaml');
  await writeFile(config, `store:\n  path: ${JSON.stringify(path)}\n${limits}approved:\n${refs.map((ref) => `  - ${nameOfRef(ref)}\n`).join('')}`);
  return config;
}

function commitOf(serial: number) {
  return aCommit({ repositoryRef: elementOf(refs, serial % refs.length), sha: shaOf(serial), committedAt: NOW - serial * 60_000 });
}
