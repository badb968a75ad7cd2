// Runs a git source into a store that keeps only what the next run reads, so that a store is not measured, and again without changes. Sends the values to its parent.
import { devNull } from 'node:os';
import { join } from 'node:path';
import { GitSource } from '@vitrine/collector';
import { isOfKind, type CollectionReader, type Release } from '@vitrine/core';
import { answerParent } from './processes.js';
import { openDroppingStore } from './source-runs.js';

export interface GitRun {
  readonly firstMs: number;
  readonly againMs: number;
  /** Peak memory of the process, in MB. */
  readonly nodeMb: number;
  readonly shas: readonly string[];
  readonly releases: number;
  readonly storedAgain: number;
}

const branches = new Map<string, string | null>();
const releases = new Map<string, Release>();
let stored = 0;
const clock = { now: () => Date.now() };
const store = await openDroppingStore(clock, (record) => {
  if (record.kind === 'commit') branches.set(record.sha, record.branch);
  if (record.kind === 'release') releases.set(record.id, record);
  if (record.kind === 'commit' || record.kind === 'release') stored++;
});
const collection: CollectionReader = {
  ...store.collection,
  commitBranches: () => Promise.resolve(branches),
  async *ofRepository(kind) {
    for (const release of releases.values()) if (isOfKind(kind, release)) yield await Promise.resolve(release);
  },
};

const repository = process.argv[2] ?? '';
const source = new GitSource({
  location: repository,
  ref: 'acme/widget',
  name: { fullName: 'acme/widget', owner: 'acme', name: 'widget' },
  url: 'https://example.org/acme/widget',
  label: 'git',
  intervalMs: 60_000,
  cacheFolder: join(repository, '..', 'clones'),
  environment: { PATH: process.env['PATH'], HOME: devNull },
});

async function run() {
  const [startedAt, before] = [performance.now(), stored];
  await source.run({ writer: store.writer, collection, clock, signal: new AbortController().signal, progress: () => undefined });
  return { ms: performance.now() - startedAt, stored: stored - before };
}

const [first, again] = [await run(), await run()];
const nodeMb = Math.round(process.resourceUsage().maxRSS / 1024);
const found = { shas: [...branches.keys()], releases: releases.size };
answerParent({ ...found, nodeMb, firstMs: first.ms, againMs: again.ms, storedAgain: again.stored } satisfies GitRun);
