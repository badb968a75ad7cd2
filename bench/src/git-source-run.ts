// Runs a git source completely into a store that keeps only what the next run reads, and then runs it again without changes.
// Sends the measured values to its parent.
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { CollectionReader, RecordWriter, StoredRecord, Sync } from '@vitrine/core';
import { GitSource } from '@vitrine/collector';
import { answerParent } from './child-process.js';

/** The values that one process has measured. */
export interface GitRun {
  readonly firstMs: number;
  readonly againMs: number;
  /** Peak memory of the process, in MB. */
  readonly nodeMb: number;
  readonly shas: readonly string[];
  readonly releases: number;
  /** The number of commits and releases that the second run stored. */
  readonly storedAgain: number;
}

const branches = new Map<string, string | null>();
const releases = new Set<string>();
let sync: Sync | null = null;
let stored = 0;

function take(record: StoredRecord): void {
  if (record.kind === 'sync') sync = record;
  if (record.kind === 'commit') branches.set(record.sha, record.branch);
  if (record.kind === 'release') releases.add(record.id);
  if (record.kind === 'commit' || record.kind === 'release') stored++;
}

const writer: RecordWriter = {
  put: (records) => {
    records.forEach(take);
    return Promise.resolve({ stored: records.length, unchanged: 0, refused: [] });
  },
  remove: () => Promise.resolve(0),
  withdraw: () => Promise.resolve(0),
  moveCommits: () => Promise.resolve(0),
  indexFor: () => Promise.resolve({ added: 0, removed: 0 }),
};

const collection: CollectionReader = {
  commitBranches: () => Promise.resolve(branches),
  releaseIds: () => Promise.resolve(releases),
  releasesOf: () => {
    throw new Error('a git source does not ask for releases');
  },
  findings: () => Promise.resolve([]),
  sync: () => Promise.resolve(sync),
  services: () => Promise.resolve([]),
  checkedDays: () => Promise.resolve(new Map()),
  checksOf: () => Promise.resolve([]),
  statements: () => {
    throw new Error('a git source does not ask for all statements');
  },
  records: () => {
    throw new Error('a git source does not ask for all records');
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

async function msOfRun(): Promise<number> {
  const clock = { now: () => Date.now() };
  const startedAt = performance.now();
  await source.run({ writer, collection, clock, signal: new AbortController().signal, progress: () => undefined });
  return performance.now() - startedAt;
}

const firstMs = await msOfRun();
const storedFirst = stored;
const againMs = await msOfRun();
answerParent({
  firstMs,
  againMs,
  nodeMb: Math.round(process.resourceUsage().maxRSS / 1024),
  shas: [...branches.keys()],
  releases: releases.size,
  storedAgain: stored - storedFirst,
} satisfies GitRun);
