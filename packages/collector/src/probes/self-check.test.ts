import { openMemoryStore } from '@vitrine/adapters-memory';
import type { SelfServiceConfig } from '@vitrine/config';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY, HOUR, MIN_VALIDITY_MS } from '@vitrine/core';
import { OutgoingClient } from '../fetching/outgoing-client.js';
import { OutgoingError } from '../fetching/outgoing-response.js';
import { configurationSync } from '../running/registered-source.js';
import { FakeStore } from '../testing/fake-store.js';
import { selfProbe } from './http-probe.js';
import { ProbeSource } from './probe-source.js';
import { ServicesSource } from './services-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);

function contextOf(store: FakeStore, signal = new AbortController().signal, now = NOW) {
  return { writer: store, collection: store, clock: { now: () => now }, signal, progress: () => undefined };
}

function selfCheck(target: string, client: Pick<OutgoingClient, 'request'> = new OutgoingClient()) {
  return new ProbeSource({
    service: { key: 'acme:api', intervalMs: 30_000, confirmAfter: 0, dependency: false },
    probe: selfProbe('acme:api', () => target, client),
    canary: null,
    publicAddress: () => 'https://acme.example/livez',
  });
}

describe('the check of this server itself', () => {
  let server: Server;
  let status: number;
  let paths: string[];
  let origin: string;
  beforeEach(async () => {
    status = 200;
    paths = [];
    server = createServer((request, response) => {
      paths.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(status, { location: '/elsewhere' }).end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

  it('stores an answer of 200 as operational, with its time and how long it counts', async () => {
    const store = new FakeStore();
    expect(await selfCheck(`${origin}/livez`).run(contextOf(store))).toEqual({ stored: 1, unchanged: 0, removed: 0, warnings: [], notices: [] });
    expect(paths).toEqual(['GET /livez']);
    expect(store.all).toMatchObject([
      {
        kind: 'check',
        serviceKey: 'acme:api',
        state: 'operational',
        rawState: 'http 200',
        checkedAt: NOW,
        validForMs: MIN_VALIDITY_MS,
        provenance: { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl: 'https://acme.example/livez', observedAt: NOW },
      },
      { kind: 'sync', id: 'probe:acme:api', sourceType: 'probe', label: 'acme:api', feeds: ['check'], lastSuccessAt: NOW, intervalMs: 30_000 },
    ]);
    const [check] = store.all;
    expect(check?.kind === 'check' && Number.isInteger(check.responseTimeMs)).toBe(true);
  });

  it.each([503, 500, 404, 302, 204])('stores an answer of %s as an outage', async (answer) => {
    status = answer;
    const store = new FakeStore();
    await selfCheck(`${origin}/livez`).run(contextOf(store));
    expect(store.all[0]).toMatchObject({ state: 'outage', rawState: `http ${String(answer)}`, responseTimeMs: null });
    expect(paths).toHaveLength(1);
  });

  it('stores a refused connection as an outage under its reason', async () => {
    await new Promise((resolve) => server.close(resolve));
    const store = new FakeStore();
    await selfCheck(`${origin}/livez`).run(contextOf(store));
    expect(store.all[0]).toMatchObject({ state: 'outage', rawState: 'refused' });
  });

  it('stores a time-out as an outage', async () => {
    const store = new FakeStore();
    const late = () => Promise.reject(new OutgoingError(new URL('http://acme.example/livez'), 'timeout', 'did not answer'));
    await selfCheck('http://acme.example/livez', { request: late }).run(contextOf(store));
    expect(store.all[0]).toMatchObject({ state: 'outage', rawState: 'timeout' });
  });

  it('stores nothing when it is stopped before the answer', async () => {
    const store = new FakeStore();
    const stop = new AbortController();
    const cut = () => {
      stop.abort(new Error('stopping'));
      return Promise.reject(new Error('stopping'));
    };
    await expect(selfCheck('http://acme.example/livez', { request: cut }).run(contextOf(store, stop.signal))).rejects.toThrow('stopping');
    expect(store.all).toEqual([]);
  });

  it('says when the store refuses the check', async () => {
    const store = new FakeStore();
    store.refuse = (record) => (record.kind === 'check' ? 'frozen-day' : null);
    expect(await selfCheck(`${origin}/livez`).run(contextOf(store))).toMatchObject({
      stored: 0,
      warnings: ['the store refused the check: frozen-day'],
    });
  });
});

describe('ServicesSource', () => {
  const service = (key: string, more: Partial<SelfServiceConfig> = {}): SelfServiceConfig => ({
    key,
    name: key,
    check: 'self',
    intervalMs: 30_000,
    group: null,
    order: null,
    ...more,
  });
  const run = (store: FakeStore, keys: readonly string[], healthUrl = 'https://acme.example/livez', now = NOW, file = 'vitrine.yaml') =>
    new ServicesSource(
      keys.map((key) => service(key)),
      () => healthUrl,
      file,
    ).run(contextOf(store, undefined, now));
  const services = (store: FakeStore) => store.all.filter((record) => record.kind === 'service');

  it('stores the services of the configuration', async () => {
    const store = new FakeStore();
    expect(await run(store, ['acme:api'])).toMatchObject({ stored: 1, removed: 0 });
    expect(services(store)).toEqual([
      {
        kind: 'service',
        key: 'acme:api',
        displayName: 'acme:api',
        healthUrl: 'https://acme.example/livez',
        order: 1,
        firstSeenAt: NOW,
        provenance: {
          source: 'vitrine',
          sourceKind: 'confirmed-from-source',
          sourceUrl: 'https://acme.example/livez',
          observedAt: NOW,
          confidence: 'high',
          isOfficialSource: true,
        },
      },
    ]);
  });

  it('stores groups, and the places of services in the file unless they name others', async () => {
    const store = new FakeStore();
    const configured = [service('acme:a'), service('acme:b', { group: 'Web', order: 0 }), service('acme:c', { group: 'Web' })];
    const read = () => new ServicesSource(configured, () => 'https://acme.example/', 'vitrine.yaml').run(contextOf(store));
    await read();
    const places = () => services(store).map(({ key, group, order }) => [key, group, order]);
    expect(places()).toEqual([
      ['acme:a', undefined, 1],
      ['acme:b', 'Web', 0],
      ['acme:c', 'Web', 3],
    ]);
    configured.shift();
    configured[1] = service('acme:c');
    await read();
    expect(places()).toEqual([
      ['acme:b', 'Web', 0],
      ['acme:c', undefined, 2],
    ]);
  });

  it('changes nothing when nothing changed', async () => {
    const store = await openMemoryStore({ clock: { now: () => NOW } });
    const signal = new AbortController().signal;
    const runAt = (now: number) =>
      new ServicesSource([service('acme:api')], () => 'https://acme.example/', 'vitrine.yaml').run({
        ...store,
        clock: { now: () => now },
        signal,
        progress: () => undefined,
      });
    await runAt(NOW);
    expect(await runAt(NOW + 60_000)).toMatchObject({ stored: 0, unchanged: 1 });
    await store.close();
  });

  it('follows a new address', async () => {
    const store = new FakeStore();
    await run(store, ['acme:api']);
    expect(await run(store, ['acme:api'], 'https://new.example/livez', NOW + 60_000)).toMatchObject({ stored: 1 });
    expect(services(store)).toMatchObject([{ healthUrl: 'https://new.example/livez' }]);
  });

  it('removes what has left the configuration, and nothing that it did not store itself', async () => {
    const store = new FakeStore();
    const other = { kind: 'service' as const, key: 'other:api', displayName: 'Other', healthUrl: 'https://other.example/', firstSeenAt: NOW };
    await store.put([
      {
        ...other,
        provenance: {
          source: 's',
          sourceKind: 'k',
          sourceUrl: 'https://other.example/',
          observedAt: NOW,
          confidence: 'high',
          isOfficialSource: true,
        },
      },
    ]);
    await run(store, ['acme:a', 'acme:b']);
    expect(await run(store, ['acme:b'])).toMatchObject({ removed: 1 });
    expect(services(store).map(({ key }) => key)).toEqual(['acme:b', 'other:api']);
  });

  it('keeps the services of another configuration of the store, until that was not collected for two days', async () => {
    const store = new FakeStore();
    const [a, b] = ['a.yaml', 'b.yaml'];
    const at = (day: number, file: string, keys: readonly string[]) => run(store, keys, undefined, NOW + day * DAY, file);
    await at(0, a, ['acme:a', 'acme:shared']);
    expect(await at(0, b, ['acme:b', 'acme:shared'])).toMatchObject({ removed: 0 });
    expect(await at(1, b, ['acme:b'])).toMatchObject({ removed: 0 });
    expect(await at(2, a, ['acme:a'])).toMatchObject({ removed: 1 });
    expect(services(store).map(({ key }) => key)).toEqual(['acme:a', 'acme:b']);
    expect(await at(3.5, a, ['acme:a'])).toMatchObject({ removed: 1 });
    expect(services(store).map(({ key }) => key)).toEqual(['acme:a']);
  });

  it('removes what an earlier version stored for the only configuration', async () => {
    const store = new FakeStore();
    await run(store, ['acme:a', 'acme:b']);
    await store.put([configurationSync('services of the configuration', NOW, HOUR, '["acme:a","acme:b"]')]);
    expect(await run(store, ['acme:b'])).toMatchObject({ removed: 1 });
  });
});
