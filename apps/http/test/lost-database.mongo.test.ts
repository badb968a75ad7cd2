import { setTimeout as sleep } from 'node:timers/promises';
import { initStore } from '@vitrine/adapters-mongo';
import { describeMongod, idleMachine, itInTorture, type TcpProxy, until } from '@vitrine/test-support';
import type { Heard } from './support/open-loop.js';
import { fill, isStale, KNOWN, Servers, type ServedDatabase } from './support/served-database.js';

const AT_ONCE_MS = idleMachine(20);
const LONGEST_MS = idleMachine(1_600);
const BACK_MS = idleMachine(2_000);
const LISTS = KNOWN.filter((path) => !/overview|status/.test(path));

describeMongod('the server with a database that', (mongo) => {
  const servers = new Servers();
  let db: Parameters<typeof fill>[0];
  let proxy: TcpProxy;
  let uri: string;
  let api: ServedDatabase;

  beforeAll(async () => {
    const databases = await mongo.databases();
    db = await databases.prepared(initStore);
    await fill(db);
    proxy = await mongo.proxy(Number(new URL(databases.uri).port));
    uri = `mongodb://127.0.0.1:${String(proxy.port)}/${db.databaseName}?directConnection=true`;
  });
  afterAll(() => servers.end());

  /** Reports errors of the server that the database did not cause. */
  afterEach(() => {
    expect(api.process.err.split('\n').filter((line) => line.startsWith('{"level":50'))).toEqual([]);
  });

  const bodyOf = async (path: string): Promise<unknown> => JSON.parse((await api.ask(path)).body);

  /** Expects a copy for every known address, and a rejection in time for every other one; at once if it has opened a circuit. */
  async function expectCopies(): Promise<void> {
    // An answer that is still current needs no database.
    await api.process.eventually('serve copies', async () => (await askAll(KNOWN)).every(isStale));
    const [known, unknown] = await Promise.all([askAll(KNOWN), askAll(newAddresses(6))]);
    expect(known.map(({ status }) => status)).toEqual(KNOWN.map(() => 200));
    expect(known.map(isStale)).toEqual(KNOWN.map(() => true));
    expect(unknown.map(({ status }) => status)).toEqual(unknown.map(() => 503));
    expect(longest([...known, ...unknown])).toBeLessThan(LONGEST_MS);
    const ready = await api.ask('/readyz');
    expect([ready.status, ready.body]).toEqual([200, '{"status":"degraded"}']);
    // The machine may be slow once, but not always; one of the requests may be a trial.
    const next = [];
    for (let times = 0; times < 10; times += 1) next.push(await api.ask('/api/v1/news'));
    expect(Math.min(...next.map(({ tookMs }) => tookMs))).toBeLessThan(AT_ONCE_MS);
    expect(next.every(isStale)).toBe(true);
  }

  const askAll = (paths: readonly string[]): Promise<readonly Heard[]> => Promise.all(paths.map((path) => api.ask(path)));
  const newAddresses = (count: number): readonly string[] => Array.from({ length: count }, () => api.newAddress());

  async function expectBack(since = performance.now()): Promise<void> {
    for (
      const isBack = (heard: Heard): boolean => heard.status === 200 && !isStale(heard);
      !isBack(await api.ask(api.newAddress()));
      await sleep(100)
    );
    expect(performance.now() - since).toBeLessThan(BACK_MS);
    await api.process.eventually('read everything', async () => {
      const heard = await askAll(KNOWN);
      return heard.every(({ status, body }) => status === 200 && !body.includes('SEARCH_INCOMPLETE')) && !heard.some(isStale);
    });
  }

  it('is unavailable at the start listens, reports it at once, and serves when the database is available', async () => {
    await proxy.refuse();
    api = await servers.start(uri);
    expect(await api.statuses('/livez', '/readyz', '/api/v1/status', ...LISTS)).toEqual([200, 503, 503, ...LISTS.map(() => 503)]);
    expect(await bodyOf('/readyz')).toEqual({ status: 'starting' });
    expect(await bodyOf('/api/v1/overview')).toMatchObject({
      data: { status: null, latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [], partial: true },
      meta: { dataStatus: 'unavailable' },
    });
    const refused = [];
    for (let times = 0; times < 10; times += 1) refused.push(await api.ask('/api/v1/news'));
    expect(Math.min(...refused.map(({ tookMs }) => tookMs))).toBeLessThan(AT_ONCE_MS);
    await proxy.accept();
    await expectBack();
    await api.process.eventually('be ready', async () => JSON.stringify(await bodyOf('/readyz')) === '{"status":"ready"}');
  });

  itInTorture('is lost later serves last good responses until it is back', async () => {
    await proxy.refuse();
    await expectCopies().finally(() => proxy.accept());
    await expectBack();
  });

  itInTorture('responds five seconds late serves last good responses until it is fast again', async () => {
    proxy.delay(5_000);
    await expectCopies().finally(() => {
      proxy.heal();
    });
    await expectBack();
  });

  itInTorture('is behind half-open connections serves last good responses until they work again', async () => {
    proxy.swallow();
    await expectCopies().finally(() => {
      proxy.heal();
    });
    await expectBack();
  });

  itInTorture('resets its connections retries once', async () => {
    for (let times = 0; times < 3; times += 1) {
      proxy.delay(30);
      const asked = askAll(newAddresses(5));
      await sleep(45);
      proxy.cut();
      proxy.delay(0);
      const heard = await asked;
      expect(heard.map(({ status }) => status)).toEqual(heard.map(() => 200));
    }
  });

  it('has one collection that cannot be read serves all others', async () => {
    // Its lists name the index that they need.
    await db.collection('videos').dropIndexes();
    expect(await api.statuses('/api/v1/videos', '/api/v1/news', '/api/v1/status', '/api/v1/overview')).toEqual([503, 200, 200, 200]);
    expect(await bodyOf('/readyz')).toEqual({ status: 'degraded' });
    await initStore(db, { clock: Date });
    // On a busy machine a failure takes as long as a time-out, and then the collection is tried once a second.
    await until(async () => (await api.statuses('/api/v1/videos'))[0] === 200);
  });

  it('contains invalid documents leaves them out, and fills its pages', async () => {
    await expectBack();
    const news = db.collection<{ readonly _id: unknown }>('news');
    const [whole] = await news.find().toArray();
    const { _id: id, ...fields } = whole ?? { _id: null };
    await news.insertMany(
      Array.from({ length: 5 }, (_, index) => ({ ...fields, _id: `${String(id)}-${String(index)}`, title: [{}, null, 7][index % 3] })),
    );
    const page = await bodyOf('/api/v1/news?limit=1');
    expect(page).toMatchObject({ data: [{ id: 'nws_4d1x8c' }], meta: { nextCursor: null } });
    expect(await api.statuses('/api/v1/news', '/api/v1/overview', '/api/v1/search?q=widget', '/readyz')).toEqual([200, 200, 200, 200]);
    expect(api.process.err).toContain('title');
  });

  itInTorture('has few connections, all of them slow, rejects lists in time, and serves its status', async () => {
    const narrow = await servers.start(`${uri}&maxPoolSize=6`);
    await narrow.ready();
    proxy.delay(40);
    const [heard, status] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => narrow.ask(narrow.newAddress()))),
      narrow.ask('/api/v1/status'),
    ]);
    expect(status.status).toBe(200);
    const statuses = heard.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
    expect([statuses.includes(200), statuses.includes(503)]).toEqual([true, true]);
    expect(longest(heard)).toBeLessThan(LONGEST_MS);
    expect((await narrow.ask('/readyz')).status).toBe(200);
    proxy.heal();
    await narrow.process.eventually('answer again', async () => (await narrow.ask(narrow.newAddress())).status === 200);
  });
});

function longest(heard: readonly Heard[]): number {
  return Math.max(...heard.map(({ tookMs }) => tookMs));
}
