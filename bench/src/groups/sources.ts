import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Scheduler, type Source } from '@vitrine/collector';
import { HOUR, MINUTE, SECOND } from '@vitrine/core';
import { atLeast, atMost, megabytesInUse, mustBe, percentile, withFolder, type Figure } from '../measure.js';
import { collected, configuredSources, openDroppingStore, realClock, withStore } from '../source-runs.js';
import { listen } from '../wire.js';

const [FEEDS, ITEMS, LARGE_FEEDS, LARGE_ITEMS] = [100, 50, 4, 5_000];
const ROUNDS = 3;
const REPOSITORIES = 50;
const PROBES = 200;
const INTERVAL = 30 * SECOND;
/** The virtual time of one turn of the event loop, so that a request takes virtual time too. */
const TURN_MS = 10;
/** Until then, caches fill. */
const WARM_UP_MS = 10 * MINUTE;

export async function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => [...(await feedRows(folder)), ...(await forgeRows(folder)), ...(await probeRows())]);
}

/** Serves a document for each path, with an ETag. Counts the answers by their status. */
async function serveDocuments(documentOf: (path: string) => string, { needsToken = false } = {}) {
  const statuses = { 200: 0, 304: 0, 401: 0 };
  const documents = new Map<string, string>();
  const served = await listen(({ url = '', headers }, response) => {
    const isKnown = headers['if-none-match'] === `"${url}"`;
    const status = needsToken && headers.authorization === undefined ? 401 : isKnown ? 304 : 200;
    statuses[status] += 1;
    const document = documents.get(url) ?? documentOf(url);
    documents.set(url, document);
    response.writeHead(status, { etag: `"${url}"` }).end(status === 200 ? document : undefined);
  });
  return { ...served, statuses };
}

/** A list of YAML. @param item makes one from its number, from 1 on */
function list(length: number, item: (number: string) => string): string {
  return Array.from({ length }, (_, index) => `  - ${item(String(index + 1))}\n`).join('');
}

function feed(path: string): string {
  const [, number = '', items = ''] = path.split('/');
  const entries = Array.from({ length: Number(items) }, (_, index) => {
    const [page, day] = [`https://blog${number}.example/posts/${String(index)}`, String((index % 28) + 1).padStart(2, '0')];
    return `<item><title>Post ${String(index)} of ${number} &amp;amp; more</title><link>${page}?utm_source=rss</link><guid isPermaLink="false">${page}</guid><pubDate>${day} Oct 2026 10:00:00 GMT</pubDate><description><![CDATA[<p>Some <b>words</b> about it</p>]]></description></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog ${number}</title><link>https://blog${number}.example/</link>${entries.join('\n')}</channel></rss>`;
}

async function feedRows(folder: string): Promise<readonly Figure[]> {
  const { origin, statuses } = await serveDocuments(feed);
  const sourcesOf = (feeds: number, items: number) => {
    const lines = list(feeds, (index) => `{feed: "${origin}/${index}/${String(items)}", label: Blog ${index}, allowPrivate: true}`);
    return configuredSources(`approved: []\nsources:\n${lines}`, 'feed');
  };
  const [unchanged, rates]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await withStore(join(folder, `small-${String(round)}`), async (store) => {
      const sources = sourcesOf(FEEDS, ITEMS);
      mustBe('new records of the first run', await collected(store, sources), FEEDS * ITEMS);
      const before = process.cpuUsage();
      mustBe('new records of the second run', await collected(store, sources), 0);
      const { user, system } = process.cpuUsage(before);
      mustBe('responses with the status 304', statuses[304], (round + 1) * FEEDS);
      unchanged.push((user + system) / 1e6);
    });
    await withStore(join(folder, `large-${String(round)}`), async (store) => {
      const startedAt = performance.now();
      const stored = await collected(store, sourcesOf(LARGE_FEEDS, LARGE_ITEMS));
      rates.push(stored / ((performance.now() - startedAt) / 1_000));
      mustBe('new records', stored, LARGE_FEEDS * LARGE_ITEMS);
    });
  }
  const items = (LARGE_FEEDS * LARGE_ITEMS).toLocaleString('en');
  return [
    atMost(`${String(FEEDS)} feeds of ${String(ITEMS)} items, nothing changed: CPU time`, percentile(unchanged, 0.5), 's', 1),
    atLeast(`${items} feed items into a store in a folder, first run`, percentile(rates, 0.5), 'records/s', 5_000),
  ];
}

const [RELEASES, RUNS, MILESTONES, COMMITS] = [30, 100, 10, 100];
const RECORDS = 1 + RELEASES + RUNS + MILESTONES;
const ADDRESSES = 5;

const times = { created_at: '2026-11-19T10:00:00Z', updated_at: '2026-11-19T10:05:00Z' };
const many = (count: number, make: (index: number) => object) => Array.from({ length: count }, (_, index) => ({ ...times, ...make(index + 1) }));
const sha = (index: number): string => index.toString(16).padStart(40, '0');

/** What the API of GitHub answers, by the last part of the path. */
const FORGE: Readonly<Record<string, unknown>> = {
  releases: many(RELEASES, (id) => {
    const named = { id, tag_name: `v1.${String(id)}.0`, name: `Widget 1.${String(id)}`, body: 'Fixes\n'.repeat(50) };
    return { ...named, draft: false, prerelease: false, published_at: times.created_at, assets: [] };
  }),
  runs: {
    total_count: RUNS,
    workflow_runs: many(RUNS, (id) => {
      const run = { id, name: 'CI', head_branch: 'main', head_sha: sha(id), run_number: id, event: 'push' };
      return { ...run, status: 'completed', conclusion: 'success', run_started_at: times.created_at };
    }),
  },
  milestones: many(MILESTONES, (number) => {
    const named = { id: number, number, title: `Version ${String(number)}`, description: null, state: 'open' };
    return { ...named, open_issues: 1, closed_issues: 1, due_on: null, closed_at: null };
  }),
  commits: many(COMMITS, (index) => ({ sha: sha(index), author: { login: 'ada' } })),
};

function forgeDocument(path: string): string {
  const last = path.split('?')[0]?.split('/').at(-1) ?? '';
  return JSON.stringify(FORGE[last] ?? { id: Number(last), node_id: `R_${last}`, private: false, visibility: 'public', default_branch: 'main' });
}

/** Runs GitHub sources of a configuration into a store in a folder. With a token, only requests that are not answered with 304 count against the limit. */
async function forgeRows(folder: string): Promise<readonly Figure[]> {
  const { origin, statuses } = await serveDocuments(forgeDocument, { needsToken: true });
  const name = (index: string) => `acme/${index}`;
  const source = { api: origin, token: 'TOKEN', git: false, allowPrivate: true };
  const lines = list(REPOSITORIES, (index) => JSON.stringify({ github: name(index), url: `https://github.com/${name(index)}`, ...source }));
  const text = `approved:\n${list(REPOSITORIES, name)}sources:\n${lines}`;
  const sources = configuredSources(text, 'github', { environment: { TOKEN: 'a-token' } });
  const counted = await withStore(join(folder, 'forge'), async (store) => {
    mustBe('new records of the first run', await collected(store, sources), REPOSITORIES * RECORDS);
    const before = statuses[200];
    mustBe('new records of the second run', await collected(store, sources), 0);
    mustBe('requests of the second run', statuses[304] + statuses[200] - before, REPOSITORIES * ADDRESSES);
    return statuses[200] - before;
  });
  const what = `GitHub with ${String(REPOSITORIES)} repositories and a token, nothing changed: one conditional request for each of ${String(REPOSITORIES * ADDRESSES)} addresses, counted against the limit`;
  return [atMost(what, counted, 'requests', 0)];
}

interface Run {
  readonly due: number;
  readonly startedAt: number;
}

/** Runs probes of a configuration for an hour of virtual timers. Input and output are real. What they store is counted and dropped. */
async function probeRows(): Promise<readonly Figure[]> {
  // In this process, so that it answers within few turns of the event loop, however busy the machine is.
  const { origin } = await listen((_request, response) => response.end('well'));
  const states = new Set<string>();
  let checks = 0;
  const store = await openDroppingStore(realClock, (record) => {
    if (record.kind !== 'check') return;
    checks += 1;
    states.add(`${record.state} ${record.rawState}`);
  });
  const lines = list(PROBES, (index) => `{key: "acme:${index}", name: Service, check: "${origin}", allowPrivate: true}`);
  const runs = new Map<string, Run[]>();
  const scheduler = new Scheduler({ writer: store.writer, collection: store.collection, clock: realClock });
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 10, 20, 12) });
  const probes = configuredSources(`approved: []\nservices:\n${lines}`, 'probe', { clock: realClock });
  scheduler.start(probes.map((source) => recorded(source, runs)));
  await pass(WARM_UP_MS);
  const before = megabytesInUse();
  await pass(HOUR - WARM_UP_MS);
  const growth = megabytesInUse() - before;
  mock.timers.reset();
  await scheduler.stop();
  mustBe('checks in an hour', checks >= PROBES * (HOUR / INTERVAL - 1), true);
  mustBe('states of the checks', [...states], ['operational http 200']);
  const title = `${String(PROBES)} probes every 30 s, an hour on a virtual clock`;
  return [
    atMost(`${title}: latest start after slot and jitter`, latest(runs), 'ms', SECOND),
    atMost(`${title}: growth of memory after 10 minutes`, Math.max(0, growth), 'MiB', 5),
  ];
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += TURN_MS) {
    mock.timers.tick(TURN_MS);
    await nextTurn();
  }
}

/** The longest delay of all runs. Checks that each probe keeps to its slots. */
function latest(runs: ReadonlyMap<string, readonly Run[]>): number {
  mustBe('probes that ran', runs.size, PROBES);
  let longest = 0;
  for (const [id, ofProbe] of runs) {
    const [first] = ofProbe;
    const offsets = ofProbe.map(({ due }) => ((due - (first?.due ?? 0) + 1.5 * INTERVAL) % INTERVAL) - INTERVAL / 2);
    mustBe(`whether ${id} keeps its place within the interval`, Math.max(...offsets) - Math.min(...offsets) < SECOND, true);
    for (const { due, startedAt } of ofProbe) longest = Math.max(longest, startedAt - due);
  }
  return longest;
}

/** The same source, whose runs are recorded, apart from the first one, which starts at once. */
function recorded(source: Source, runs: Map<string, Run[]>): Source {
  const ofProbe: Run[] = [];
  runs.set(source.id, ofProbe);
  let due: number | null = null;
  return {
    id: source.id,
    intervalMs: source.intervalMs,
    registration: source.registration,
    nextRunAt: (now) => (due = source.nextRunAt?.(now) ?? now),
    run: (context) => {
      if (due !== null) ofProbe.push({ due, startedAt: Date.now() });
      return source.run(context);
    },
  };
}
