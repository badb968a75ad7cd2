import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, HOUR, type Commit, type StoredRecord } from '@vitrine/core';
import { aCheck, aRepositoryRecord, aService } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { atMost, type Figure } from './measure.js';
import { busyCommit, refs, shaOf, vocabulary } from './memory-world.js';
import { SearchOracle } from './search-oracle.js';
import { root, spawnVitrine } from './vitrine-process.js';
import { mustBe } from './wrong-answer.js';

const LONGEST_MS = 60_000;
/** Until the first runs of all sources have ended. */
const SETTLED_MS = 5_000;
const IDLE_MS = 30_000;
const COMMITS = 100_000;
const BATCH = 1_000;
const SERVICES = 50;
const CHECKS_EACH = 20_000;

/** The expected response. */
interface Awaited {
  readonly path: string;
  /** The part of the response that is compared. */
  readonly content: (body: unknown) => unknown;
  readonly stored: unknown;
}

/**
 * Starts the built server, and measures the time until each path returns the stored data, the memory of the server and its collector then, and the share of a processor
 * that both use afterwards. Then ends the server.
 *
 * @param idleMs how long nothing is requested at the end
 */
async function started(config: string, waits: readonly Awaited[], idleMs = 0) {
  const { url, memoryBytes, cpuSeconds, stop } = await spawnVitrine({ config });
  const start = performance.now();
  try {
    const times = await Promise.all(waits.map((wait) => until(url, wait, start)));
    const memoryMb = memoryBytes() / 2 ** 20;
    await sleep(idleMs === 0 ? 0 : SETTLED_MS);
    const [before, from] = [cpuSeconds(), performance.now()];
    await sleep(idleMs);
    const idleShare = (100_000 * (cpuSeconds() - before)) / (performance.now() - from);
    return { times, memoryMb, idleShare };
  } finally {
    stop();
  }
}

/** Milliseconds from the start to the correct response. If the response stays wrong, the run fails. */
async function until(url: string, { path, content, stored }: Awaited, start: number): Promise<number> {
  let last: unknown = 'nothing';
  while (performance.now() - start < LONGEST_MS) {
    const response = await fetch(`${url}${path}`).catch(() => null);
    if (response?.ok === true) {
      last = content(await response.json());
      const ms = performance.now() - start;
      if (JSON.stringify(last) === JSON.stringify(stored)) return ms;
    }
    await sleep(10);
  }
  mustBe(`${path} for ${String(LONGEST_MS / 1_000)} s after the start`, last, stored);
  return Number.NaN;
}

/** The parts of response bodies that are compared. */
interface ListBody {
  readonly data: readonly { readonly sha: string }[];
}

const shas = (body: unknown) => (body as ListBody).data.map(({ sha }) => sha);

export async function ownHistoryFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-start-'));
  try {
    const config = join(folder, 'vitrine.yaml');
    const own = readFileSync(join(root, 'vitrine.yaml'), 'utf8').replace(/git: \.$/mu, `git: ${JSON.stringify(root)}`);
    await writeFile(config, own);
    const listed = { path: '/api/v1/development/commits?limit=1', content: shas, stored: [newestCommit()] };
    const first = await started(config, [listed]);
    const again = await started(config, [listed], IDLE_MS);
    return [
      atMost('start to the newest commit of the own history, collected meanwhile', first.times[0] ?? Number.NaN, 'ms', 1_500),
      atMost('the same on a store that holds it', again.times[0] ?? Number.NaN, 'ms', 1_500),
      atMost('memory of the server and its collector then (sum of PSS)', Math.max(first.memoryMb, again.memoryMb), 'MiB', 220),
      atMost('processor time of both while nothing is requested', again.idleShare, '% of one processor', 1),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The newest commit of this repository: in a clone, of the branches of its remote; otherwise of all branches. */
function newestCommit(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).trim();
  const lines = git('log', git('remote') === '' ? '--branches' : '--remotes', '--format=%ct %H').split('\n');
  const commits = lines.map((line) => line.split(' ')).map(([time, sha = '']) => ({ time: Number(time), sha }));
  return commits.toSorted((a, b) => b.time - a.time || (a.sha < b.sha ? -1 : 1))[0]?.sha;
}

interface StatusBody {
  readonly data: { readonly services: readonly { readonly currentState: string; readonly checks: { readonly operational: number } }[] };
}

interface SearchBody {
  readonly data: readonly { readonly id: string }[];
}

export async function largeStoreFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-large-'));
  try {
    const commits = await fill(join(folder, 'store'));
    const config = join(folder, 'vitrine.yaml');
    await writeFile(config, `store:\n  path: ${JSON.stringify(join(folder, 'store'))}\napproved:\n${refs.map((ref) => `  - ${ref}\n`).join('')}`);
    const list: Awaited = {
      path: '/api/v1/development/commits?limit=100',
      content: shas,
      stored: Array.from({ length: 100 }, (_, serial) => shaOf(serial)),
    };
    const status: Awaited = {
      path: '/api/v1/status',
      content: (body) => (body as StatusBody).data.services.map(({ currentState, checks }) => ({ currentState, checks: checks.operational })),
      stored: Array.from({ length: SERVICES }, () => ({ currentState: 'operational', checks: CHECKS_EACH })),
    };
    const q = `${vocabulary[3] ?? ''} ca`;
    const search: Awaited = {
      path: `/api/v1/search?q=${encodeURIComponent(q)}`,
      content: (body) => (body as SearchBody).data.map(({ id }) => id),
      stored: new SearchOracle([...refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })), ...commits]).page(q, 1, 20),
    };
    const { times, memoryMb } = await started(config, [list, status, search]);
    const [listMs = Number.NaN, statusMs = Number.NaN, searchMs = Number.NaN] = times;
    return [
      atMost('start with 100,000 commits and 1,000,000 checks: lists and status complete', Math.max(listMs, statusMs) / 1_000, 's', 4),
      atMost('the same: search answers', searchMs / 1_000, 's', 8),
      atMost('the same: memory of the server and its collector (sum of PSS)', memoryMb, 'MiB', 600),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills a store in a folder, and returns its commits, newest first. */
async function fill(path: string): Promise<readonly Commit[]> {
  const context = { signal: new AbortController().signal };
  const store = await openSqliteStore({ clock: { now: () => Date.now() }, path });
  const put = (records: readonly StoredRecord[]) => store.writer.put(records, context);
  await put(refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })));
  const commits = Array.from({ length: COMMITS }, (_, serial) => busyCommit(serial));
  for (let start = 0; start < COMMITS; start += BATCH) await put(commits.slice(start, start + BATCH));
  const now = Date.now();
  for (let service = 0; service < SERVICES; service++) {
    const key = `team:service-${String(service)}`;
    await put([aService({ key })]);
    await put(Array.from({ length: CHECKS_EACH }, (_, index) => checkOf(key, index, now)));
  }
  await store.close();
  return commits;
}

/** The checks are spread over 89 days, so that all are within the window of 90 days at the time of the request, and the newest is still valid then. */
function checkOf(serviceKey: string, index: number, now: number) {
  const checkedAt = Math.round(now - (index * 89 * DAY) / CHECKS_EACH);
  return aCheck({ serviceKey, checkedAt, responseTimeMs: 80 + ((index * 37) % 400), validForMs: HOUR });
}
