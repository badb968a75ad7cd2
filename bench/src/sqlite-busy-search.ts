import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR, MINUTE } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { elementOf } from './element-of.js';
import { clock } from './memory-world.js';
import { atMost, percentile, type Figure } from './measure.js';
import { vocabulary } from './search-world.js';
import { serve, type Served } from './served.js';
import { contextOf, fillCommits, filledFolder } from './sqlite-store.js';
import { busyRefs } from './sqlite-world.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 150_000;
const SERVICES = 20;
const CHECKS_EACH = 500;
const AT_ONCE = 60;
const ROUNDS = 20;
const WARMING = 4;
const PAUSE_MS = 5;
const LIVE = '/livez';
const STATUS = '/api/v1/status';

interface StatusBody {
  readonly data: { readonly services: readonly { readonly currentState: string; readonly checksTracked: number }[] };
}

interface SearchBody {
  readonly data: readonly { readonly id: string; readonly title: string; readonly description: string | null }[];
}

/** Many different searches at once, over HTTP. Meanwhile the health check and the status are requested again and again. */
export async function sqliteBusySearchFigures(): Promise<readonly Figure[]> {
  const path = await filledFolder('busy_1', COMMITS, fill);
  const server = await serve('sqlite-server.js', [path, ...busyRefs]);
  try {
    await probed(server, 0, WARMING);
    const { live, status } = await probed(server, WARMING, ROUNDS);
    const what = `${String(AT_ONCE)} different searches in parallel over ${COMMITS.toLocaleString('en')} commits in SQLite, over HTTP`;
    return [
      atMost(`${what}: ${LIVE} meanwhile: p99`, percentile(live, 0.99), 'ms', 50),
      atMost(`the same: ${STATUS} of ${String(SERVICES)} services meanwhile: p99`, percentile(status, 0.99), 'ms', 50),
    ];
  } finally {
    server.stop();
  }
}

/** Runs rounds of searches. No query is asked twice. */
async function probed(
  server: Served,
  first: number,
  rounds: number,
): Promise<{ readonly live: readonly number[]; readonly status: readonly number[] }> {
  const [live, status]: [number[], number[]] = [[], []];
  const done = new AbortController();
  const probing = Promise.all([probe(server, LIVE, live, () => undefined, done.signal), probe(server, STATUS, status, checkStatus, done.signal)]);
  try {
    for (let round = first; round < first + rounds; round++)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => searchFor(server, elementOf(vocabulary, round * AT_ONCE + index))));
  } finally {
    done.abort();
    await probing;
  }
  return { live, status };
}

async function probe(server: Served, path: string, samples: number[], check: (body: unknown) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now();
    const body = await server.get(path);
    samples.push(performance.now() - start);
    check(body);
    await sleep(PAUSE_MS);
  }
}

function checkStatus(body: unknown): void {
  const { services } = (body as StatusBody).data;
  mustBe(
    'status during searches',
    services.map(({ currentState, checksTracked }) => `${currentState} ${String(checksTracked)}`),
    Array.from({ length: SERVICES }, () => `operational ${String(CHECKS_EACH)}`),
  );
}

/** Each hit has the word in its title, its description or its id. */
async function searchFor(server: Served, word: string): Promise<void> {
  const { data } = (await server.get(`/api/v1/search?q=${encodeURIComponent(word)}&type=commit`)) as SearchBody;
  for (const { id, title, description } of data)
    if (!`${id} ${title} ${description ?? ''}`.includes(word)) mustBe(`search for "${word}"`, title, `a text with "${word}"`);
}

/** The checks of each service, all within the window of 90 days. The newest is valid while the benchmark runs. */
async function fill(path: string, count: number): Promise<void> {
  await fillCommits(path, count);
  const store = await openSqliteStore({ clock, path });
  const context = contextOf(busyRefs);
  await store.writer.indexFor(context.approved, context);
  for (let service = 0; service < SERVICES; service++) {
    const serviceKey = `team:service-${String(service)}`;
    const checks = Array.from({ length: CHECKS_EACH }, (_, index) => aCheck({ serviceKey, checkedAt: NOW - index * 15 * MINUTE, validForMs: HOUR }));
    await store.writer.put([aService({ key: serviceKey }), ...checks], context);
  }
  await store.close();
}
