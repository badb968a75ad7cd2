import { once } from 'node:events';
import { connect } from 'node:net';
import { DAY, SECOND, UnavailableError, type ApprovedRepositories } from '@vitrine/core';
import { DEFAULT_SITE } from '@vitrine/pages';
import type { StoreHealth } from '../src/serving/store-guard.js';
import { Api, approving, type ApiOptions } from './support/api.js';
import { eventually, idleMachine, isTorture, itInTorture, until } from '@vitrine/test-support';
import { FaultyStore, type ReaderName } from './support/faulty-store.js';
import { heapUsed } from './support/heap-used.js';
import { REQUEST_BUDGET_MS } from '../src/serving/computations.js';
import { NOW, smallWorld } from './support/small-world.js';

const LISTS = ['/api/v1/development/commits', '/api/v1/repositories/acme/widget', '/api/v1/news', '/api/v1/search?q=widget', '/api/v1/videos'];
/** What a store that works never takes, even on a busy machine. */
const BUDGET_MS = isTorture ? 80 : 1_500;

afterEach(() => Api.closeAll());

async function opened(options: ApiOptions = {}) {
  const faulty = new FaultyStore();
  return { faulty, api: await Api.open({ records: smallWorld, readers: faulty.over, cacheAnswers: false, ...options }) };
}

const statusOf = (api: Api, target: string): Promise<number> => api.get(target).then(({ status }) => status);
const statuses = (api: Api, ...targets: readonly string[]): Promise<readonly number[]> => Promise.all(targets.map((target) => statusOf(api, target)));
/** The first pages of the news, of different sizes: requests that are not computed together. */
const newsPages = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `/api/v1/news?limit=${String(index + 1)}`);
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a request, and disconnects when a promise is fulfilled. */
async function leaving(api: Api, target: string, when: () => Promise<unknown>): Promise<void> {
  const socket = connect(api.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await when();
  socket.destroy();
}

describe('a store that is not available at the start', () => {
  it('is not read until it is available', async () => {
    const health: { state: StoreHealth['state'] } = { state: 'connecting' };
    const { api, faulty } = await opened({ health });
    faulty.set('hangs');
    expect(await statuses(api, '/livez', '/readyz', '/api/v1/status', ...LISTS)).toEqual([200, 503, 503, 503, 503, 503, 503, 503]);
    expect((await api.get('/readyz')).json).toEqual({ status: 'starting' });
    expect((await api.get('/api/v1/overview')).json).toMatchObject({
      data: { status: null, latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [], partial: true },
      meta: { dataStatus: 'unavailable' },
    });
    expect(await statuses(api, '/api/v1/news?limit=0', '/api/v1/repositories/acme/other', '/nothing')).toEqual([400, 404, 404]);
    expect(faulty.calls()).toBe(0);
    faulty.set('none');
    health.state = 'ready';
    expect(await statuses(api, '/readyz', '/api/v1/status', ...LISTS)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    health.state = 'degraded';
    const lost = await api.get('/readyz');
    expect([lost.status, lost.json]).toEqual([200, { status: 'degraded' }]);
  });
});

describe('a part of the store that fails', () => {
  it('does not affect any other part', async () => {
    const { api, faulty } = await opened();
    faulty.set('fails', 'videos');
    expect(await statuses(api, '/api/v1/videos', '/api/v1/news', '/api/v1/status', '/api/v1/overview')).toEqual([503, 200, 200, 200]);
    expect((await api.get('/api/v1/overview')).json).toMatchObject({ meta: { dataStatus: 'fresh' } });
    const ready = await api.get('/readyz');
    expect([ready.status, ready.json]).toEqual([200, { status: 'degraded' }]);
    faulty.set('none');
    expect(await statusOf(api, '/api/v1/videos')).toBe(200);
    expect((await api.get('/readyz')).json).toEqual({ status: 'ready' });
  });

  it.each([
    ['commits', { latestCommit: null, latestRelease: {}, status: {}, latestNews: [{}] }],
    ['news', { latestCommit: {}, latestRelease: {}, status: {}, latestNews: [] }],
    ['checks', { latestCommit: {}, latestRelease: {}, status: null, latestNews: [{}] }],
  ] as const)('costs the overview its own member: %s', async (reader, data) => {
    const { api, faulty } = await opened();
    faulty.set('fails', reader);
    expect((await api.get('/api/v1/overview')).json).toMatchObject({ data: { ...data, partial: true }, meta: { dataStatus: 'partial' } });
  });

  it('is read once for each response, without a retry', async () => {
    for (const target of [...LISTS, '/api/v1/overview', '/api/v1/status', '/api/v1/repositories/acme/widget/hub']) {
      const { api, faulty } = await opened();
      faulty.set('fails');
      await api.get(target);
      const readers: readonly ReaderName[] = [
        'repositories',
        'commits',
        'releases',
        'findings',
        'news',
        'videos',
        'checks',
        'services',
        'search',
        'syncs',
      ];
      // The present checks and the sums of earlier ones are two calls.
      const twice = readers.filter((name) => faulty.calls(name) > (name === 'checks' ? 2 : 1));
      expect([target, twice]).toEqual([target, []]);
    }
  });
});

describe('a store that hangs', () => {
  it('removes only the incidents from status and overview if only these hang', async () => {
    const { api, faulty } = await opened({ budgetMs: REQUEST_BUDGET_MS });
    faulty.set('hangs', 'incidents');
    const part = { services: [{}, {}], incidents: { current: [], historicalAvailable: false } };
    await eventually(async () => {
      const [status, overview] = await Promise.all([api.get('/api/v1/status'), api.get('/api/v1/overview')]);
      expect(status.json).toMatchObject({ data: part, meta: { dataStatus: 'partial', warnings: [{ source: 'incident' }] } });
      expect(overview.json).toMatchObject({
        data: { status: part, latestCommit: {}, partial: true },
        meta: { dataStatus: 'partial', warnings: [{ source: 'incident' }] },
      });
    });
  });

  it('hides no repository of the overview page if only the activity hangs', async () => {
    await eventually(async () => {
      // A new one, which does not know yet that the activity hangs.
      const { api, faulty } = await opened({ budgetMs: REQUEST_BUDGET_MS, site: DEFAULT_SITE });
      faulty.set('hangs', 'activity');
      const { status, body } = await api.send('GET', '/', { accept: 'text/html' });
      expect([status, /id="repositories"[^]*acme\/widget/.test(body)]).toEqual([200, true]);
    });
  });

  it('delays a response by half a second and makes its freshness unknown if only the sync records hang', async () => {
    const { api, faulty } = await opened({ budgetMs: REQUEST_BUDGET_MS });
    faulty.set('hangs', 'syncs');
    await eventually(async () => {
      const [news, status] = await Promise.all([api.get('/api/v1/news'), api.get('/api/v1/status')]);
      expect([news, status].map(({ json }) => json)).toMatchObject([{ meta: { dataStatus: 'unknown' } }, { meta: { dataStatus: 'unknown' } }]);
    });
  });

  it('may take one second of status, one and a half of lists, and its own limit of each source of the overview', async () => {
    const { api, faulty } = await opened({ budgetMs: REQUEST_BUDGET_MS });
    faulty.set('hangs', 'services', 'news');
    const took = async (target: string): Promise<readonly [number, number]> => {
      const startedAt = performance.now();
      return [await statusOf(api, target), performance.now() - startedAt];
    };
    const [status, overview, news] = await Promise.all([took('/api/v1/status'), took('/api/v1/overview'), took('/api/v1/news')]);
    expect([status[0], overview[0], news[0]]).toEqual([503, 200, 503]);
    expect([status[1] >= 990, overview[1] >= 990, news[1] >= 1_490]).toEqual([true, true, true]);
    expect(Math.max(status[1], overview[1])).toBeLessThan(idleMachine(news[1]));
  });

  it('is tried only once a second after three time-outs, and used again as soon as it responds', async () => {
    const { api, faulty } = await opened({ budgetMs: BUDGET_MS });
    faulty.set('hangs', 'news');
    expect(await statuses(api, ...newsPages(3))).toEqual([503, 503, 503]);
    expect(await statuses(api, ...newsPages(2))).toEqual([503, 503]);
    expect(faulty.calls('news')).toBe(3);
    expect(await statuses(api, '/api/v1/videos', '/api/v1/status')).toEqual([200, 200]);
    expect((await api.get('/readyz')).json).toEqual({ status: 'degraded' });

    api.clock.set(NOW + SECOND - 1);
    await api.get('/api/v1/news');
    expect(faulty.calls('news')).toBe(3);
    api.clock.set(NOW + SECOND);
    expect(await statuses(api, ...newsPages(3))).toEqual([503, 503, 503]);
    expect(faulty.calls('news')).toBe(4);

    faulty.set('none');
    expect(await statusOf(api, '/api/v1/news')).toBe(503);
    api.clock.set(NOW + 2 * SECOND);
    expect(await statuses(api, '/api/v1/news')).toEqual([200]);
    expect(await statuses(api, ...newsPages(2))).toEqual([200, 200]);
    expect((await api.get('/readyz')).json).toEqual({ status: 'ready' });
    expect(api.logLines.filter((line) => line.includes('"reader":"news"'))).toHaveLength(2);
  });

  itInTorture('is not read while its last good responses are served', async () => {
    const { api, faulty } = await opened({ budgetMs: BUDGET_MS });
    await api.get('/api/v1/news');
    faulty.set('hangs', 'news');
    const before = faulty.calls('news');
    for (let times = 0; times < 5; times++) expect((await api.get('/api/v1/news')).json).toMatchObject({ meta: { dataStatus: 'stale' } });
    expect(faulty.calls('news') - before).toBe(3);
  });

  it('is tried again if the client of the trial call disconnects', async () => {
    const { api, faulty } = await opened({ budgetMs: BUDGET_MS });
    faulty.set('hangs', 'news');
    await statuses(api, ...newsPages(3));
    api.clock.set(NOW + SECOND);
    await leaving(api, '/api/v1/news', () => asked(faulty, 4));
    await until(() => faulty.signalOf('news')?.aborted === true);
    faulty.set('none');
    expect(await statusOf(api, '/api/v1/news')).toBe(200);
  });

  itInTorture('is used again within two seconds after it recovers', async () => {
    const { api, faulty } = await opened({ budgetMs: REQUEST_BUDGET_MS });
    const startedAt = performance.now();
    const ticking = setInterval(() => {
      api.clock.set(NOW + performance.now() - startedAt);
    }, 5);
    faulty.set('hangs');
    let returnedAt = Infinity;
    setTimeout(() => {
      faulty.set('none');
      returnedAt = performance.now();
    }, 3_300);
    let firstGoodAt = Infinity;
    const answers: Promise<void>[] = [];
    while (firstGoodAt === Infinity && performance.now() - startedAt < 60_000) {
      const askedAt = performance.now();
      const heard = statusOf(api, '/api/v1/news').then((status) => {
        if (status === 200 && askedAt > returnedAt) firstGoodAt = Math.min(firstGoodAt, performance.now());
      });
      answers.push(heard);
      await pause(100);
    }
    await Promise.all(answers);
    clearInterval(ticking);
    expect(firstGoodAt - returnedAt).toBeLessThan(idleMachine(2_000));
  });
});

/** The signal of a call, after the call was made. */
async function asked(faulty: FaultyStore, times: number): Promise<AbortSignal> {
  while (faulty.calls('news') < times) await pause(1);
  const signal = faulty.signalOf('news');
  if (signal === undefined) throw new Error('nothing was asked');
  return signal;
}

describe('a client that disconnects', () => {
  it('ends its reads within 20 ms', async () => {
    const { api, faulty } = await opened();
    faulty.set('hangs', 'news');
    const delays: number[] = [];
    for (let times = 0; times < 5; times++) {
      let signal: AbortSignal | undefined;
      await leaving(api, '/api/v1/news', async () => (signal = await asked(faulty, times + 1)));
      const leftAt = performance.now();
      if (signal?.aborted === false) await once(signal, 'abort');
      delays.push(performance.now() - leftAt);
    }
    // The machine may be slow once, but not five times.
    expect(Math.min(...delays)).toBeLessThan(idleMachine(20));
    expect(faulty.calls('news')).toBe(5);
    expect((await api.get('/readyz')).json).toEqual({ status: 'ready' });
  });
});

describe('an overloaded store', () => {
  it('is read by a limited number of requests; others wait, and are rejected after 400 ms; status and overview are not', async () => {
    const { api, faulty } = await opened({ storeSlots: 4 });
    await api.get('/api/v1/development/commits');
    const release = faulty.hold('videos');
    const held = statuses(api, '/api/v1/videos', '/api/v1/videos?limit=1');
    await until(() => faulty.calls('videos') === 2);
    const startedAt = performance.now();
    const [news, commits] = await Promise.all([api.get('/api/v1/news'), api.get('/api/v1/development/commits')]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(395);
    expect([news.status, news.headers['retry-after'], (news.json as { code: string }).code]).toEqual([503, '5', 'SOURCE_UNAVAILABLE']);
    expect([commits.status, commits.headers['age'], faulty.calls('news'), faulty.calls('commits')]).toEqual([200, '0', 0, 1]);
    expect(await statuses(api, '/api/v1/status', '/api/v1/overview', '/livez', '/readyz')).toEqual([200, 200, 200, 200]);
    release();
    expect(await held).toEqual([200, 200]);
    expect(await statusOf(api, '/api/v1/news')).toBe(200);
  });

  it('serves every request that waits for less', async () => {
    const { api, faulty } = await opened({ storeSlots: 6 });
    faulty.set({ delayMs: 15 }, 'news');
    await eventually(async () => {
      expect(new Set(await statuses(api, ...newsPages(15)))).toEqual(new Set([200]));
    });
    // Four requests, and the sync records that they share.
    expect(faulty.mostRunning).toBeLessThanOrEqual(5);
  });
});

describe('an allowlist that cannot be read for too long', () => {
  it('hides everything that belongs to a repository, including last good responses, and nothing else', async () => {
    const source: { approved: ApprovedRepositories | null } = { approved: approving('acme/widget').current() };
    const current = (): ApprovedRepositories => {
      if (source.approved === null) throw new UnavailableError();
      return source.approved;
    };
    const { api } = await opened({ approved: { current } });
    const targets = ['/api/v1/development/commits', '/api/v1/overview', '/api/v1/status', '/api/v1/news', '/readyz'];
    expect(await statuses(api, ...targets)).toEqual([200, 200, 200, 200, 200]);
    source.approved = null;
    expect(await statuses(api, ...targets)).toEqual([503, 200, 200, 200, 200]);
    expect((await api.get('/api/v1/overview')).json).toMatchObject({
      data: { latestCommit: null, latestRelease: null, latestFinding: null, status: {} },
      meta: { dataStatus: 'partial' },
    });
  });
});

describe('a collector that has stopped', () => {
  it('leaves lists stale and services unknown, with the percentages of the stored checks', async () => {
    const { api } = await opened();
    api.clock.set(NOW + DAY);
    const lists = await Promise.all(['/api/v1/development/commits', '/api/v1/news'].map((target) => api.get(target)));
    for (const { json, headers } of lists)
      expect([json, headers['cache-control'], headers['age']]).toMatchObject([
        { meta: { dataStatus: 'stale' } },
        expect.stringMatching(/^public, max-age=30/),
        undefined,
      ]);
    expect((await api.get('/api/v1/status')).json).toMatchObject({
      data: {
        overallState: 'unknown',
        services: [{ currentState: 'unknown' }, { currentState: 'unknown', lastKnownState: 'operational', uptimePercent: 90 }],
      },
      meta: { dataStatus: 'stale' },
    });
  });
});

describe('a sequence of faults', () => {
  const ROUNDS = isTorture ? 200 : 4;
  const faults = ['hangs', 'fails', 'breaks', { delayMs: 5 }, 'none'] as const;

  itInTorture('leaves nothing behind: no timer, no slot, no growing heap', async () => {
    const { api, faulty } = await opened({ budgetMs: 30, storeSlots: 6 });
    const round = async (): Promise<void> => {
      for (const fault of faults) {
        api.clock.set(api.clock.now() + 3 * SECOND);
        faulty.set(fault);
        await statuses(api, ...LISTS, '/api/v1/overview', '/api/v1/status', ...LISTS);
        await leaving(api, '/api/v1/videos', () => pause(5));
      }
    };
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await round();
    await pause(600);
    const heap = (): number => {
      api.logLines.length = 0;
      return heapUsed();
    };
    const [timersBefore, heapBefore] = [timers(), heap()];
    for (let times = 0; times < ROUNDS; times++) await round();
    await until(() => timers() <= timersBefore + 1);
    expect((heap() - heapBefore) / 2 ** 20).toBeLessThan(3);
    faulty.set('none');
    await eventually(async () => {
      api.clock.set(api.clock.now() + 3 * SECOND);
      expect(await statuses(api, ...LISTS, '/api/v1/status')).toEqual([200, 200, 200, 200, 200, 200]);
    });
  });
});
