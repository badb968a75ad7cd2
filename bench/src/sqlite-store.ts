import { createReadStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Allowlist, type ApprovedRepositories, type RepositoryRef, type UseCaseContext } from '@vitrine/core';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { clock } from './memory-world.js';
import { repositoryRecords, quietRefs, worldCommit } from './sqlite-world.js';

const folder = fileURLToPath(new URL('../../.cache/bench-sqlite/', import.meta.url));
const BATCH = 1_000;

const approvalOf = (refs: readonly RepositoryRef[]): ApprovedRepositories => Allowlist.of(...refs).approved();
export const contextOf = (refs: readonly RepositoryRef[]): UseCaseContext => ({ approved: approvalOf(refs), signal: new AbortController().signal });

const storeFolder = (name: string, count: number): string => join(folder, `${name}-${String(count)}`);

/**
 * The folder of a store that was filled. It stays in the cache, because filling takes far longer than measuring: a later run uses it again. Choose another name if the
 * content changes. The file is read into the memory of the operating system. Otherwise, how fast a disk is would decide the figures.
 */
export async function filledFolder(name: string, count: number, fillStore: (path: string, count: number) => Promise<void>): Promise<string> {
  const path = storeFolder(name, count);
  const mark = join(path, 'filled');
  if (!existsSync(mark)) {
    process.stderr.write(`filling ${name} ...\n`);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await fillStore(path, count);
    writeFileSync(mark, '');
  }
  await finished(createReadStream(join(path, 'vitrine.db')).resume());
  return path;
}

/** A store with this number of commits. */
export async function filledStore(name: string, count: number): Promise<OpenSqliteStore> {
  return openSqliteStore({ clock, path: await filledFolder(name, count, fillCommits) });
}

export async function fillCommits(path: string, count: number): Promise<void> {
  const store = await openSqliteStore({ clock, path });
  const context = contextOf(quietRefs);
  await store.writer.indexFor(context.approved, context);
  await store.writer.put(repositoryRecords, context);
  for (let start = 0; start < count; start += BATCH)
    await store.writer.put(
      Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => worldCommit(start + index)),
      context,
    );
  await store.close();
}
