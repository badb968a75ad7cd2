import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, createUseCases, UnavailableError } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import express, { type RequestHandler } from 'express';
import fastify from 'fastify';
import { createVitrineHandler, vitrinePresenters, type VitrineHandlerOptions } from '../src/index.js';
import { DEFAULT_SITE } from '@vitrine/pages';
import { sampled } from '@vitrine/test-support';
import { Api } from './support/api.js';
import { NOW, PUBLIC_URL, smallWorld } from './support/small-world.js';

const approved = () => Allowlist.of('acme/widget').approved();
const signal = new AbortController().signal;

async function worldHandler(options: Partial<VitrineHandlerOptions> = {}) {
  const clock = new StandingClock(NOW);
  const store = await openMemoryStore({ clock });
  await store.writer.put(smallWorld, { signal });
  return { store, clock, handler: createVitrineHandler({ store, approved, clock, publicUrl: 'https://acme.example/vitrine', ...options }) };
}

/** The least that passes for a store. */
const fakeStore = () => ({ readers: { repositories: {} } });

const open = new Set<http.Server>();

/** Starts the server. Resolves with its address. */
async function listening(listener: RequestListener | http.Server): Promise<string> {
  const server = listener instanceof http.Server ? listener : http.createServer(listener);
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  open.clear();
});

const MOUNTED: Readonly<Record<string, (handler: RequestListener) => RequestListener | http.Server>> = {
  'node:http': (handler) => (request, response) => {
    if (new URL(request.url ?? '', 'http://localhost').pathname.startsWith('/vitrine')) handler(request, response);
    else response.writeHead(418).end();
  },
  'Express, mounted': (handler) => {
    const app = express();
    app.use('/vitrine', handler as RequestHandler);
    app.use((_request, response) => void response.sendStatus(418));
    return app as unknown as RequestListener;
  },
  'Express, by its whole path': (handler) => {
    const app = express();
    app.all('/vitrine{/*path}', handler as RequestHandler);
    app.use((_request, response) => void response.sendStatus(418));
    return app as unknown as RequestListener;
  },
  Fastify: (handler) => {
    const server = http.createServer();
    const app = fastify({ serverFactory: (own) => server.on('request', own as RequestListener) });
    const pass = (request: { raw: http.IncomingMessage }, reply: { raw: http.ServerResponse; hijack(): void }) => {
      reply.hijack();
      handler(request.raw, reply.raw);
    };
    app.all('/vitrine', pass);
    app.all('/vitrine/*', pass);
    app.setNotFoundHandler((_request, reply) => reply.code(418).send());
    void app.ready();
    return server;
  },
};

/** Sends exactly the given target. (`fetch` can send only the origin form.) */
async function answerTo(origin: string, target: string): Promise<{ readonly status: number | undefined; readonly data: unknown }> {
  const { hostname, port } = new URL(origin);
  const request = http.get({ hostname, port, path: target, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = (await response.toArray()).join('');
  return { status: response.statusCode, data: body.startsWith('{') ? (JSON.parse(body) as { data?: unknown }).data : body };
}

/** The local addresses in a response, all of which must be under the mount. */
function addressesIn(body: string, headers: Headers): readonly string[] {
  const inBody = [...body.matchAll(/"(?:href|hubHref|type|commits|releases|findings|missions)": ?"(\/[^"]*)"/g)].map(([, path = '']) => path);
  const inLinks = [...(headers.get('link') ?? '').matchAll(/<(\/[^>]*)>/g)].map(([, path = '']) => path);
  const location = headers.get('location');
  return [...inBody, ...inLinks, ...(location === null ? [] : [location])];
}

describe.each(sampled(Object.entries(MOUNTED), 2))('the API under a path of a server: %s', (_name, mount) => {
  it('returns bodies that differ from those of its own server only by the base path', async () => {
    const api = await Api.open({ records: smallWorld });
    const origin = await listening(mount((await worldHandler()).handler));
    for (const path of ['/api/v1/overview', '/api/v1/search?q=widget', '/api/v1/repositories/acme/widget/hub', '/api/v1/status', '/']) {
      const own = (await api.get(path)).body;
      const mounted = await (await fetch(`${origin}/vitrine${path}`)).text();
      const expected = own.replace(/("(?:href|hubHref|commits|releases|findings|missions)":")\//g, '$1/vitrine/');
      expect(mounted.replaceAll('https://acme.example/vitrine', 'ORIGIN').replaceAll(PUBLIC_URL, 'ORIGIN')).toBe(
        expected.replaceAll(PUBLIC_URL, 'ORIGIN'),
      );
    }
    await api.close();
  });

  it('returns only addresses under the mount, and all of them exist', async () => {
    const origin = await listening(mount((await worldHandler()).handler));
    const waiting = [
      '/vitrine',
      '/vitrine/api/v1',
      '/vitrine/api/v1/development/commits?limit=1',
      '/vitrine/api/v1/nws',
      '/vitrine/api/v1/news/?limit=1',
    ];
    const seen = new Set<string>(waiting);
    for (const path of waiting) {
      const response = await fetch(origin + path, { redirect: 'manual' });
      // The addresses in the document are relative to its server, and its examples contain none.
      const body = path.endsWith('/openapi.json') ? '' : await response.text();
      const found = addressesIn(body, response.headers);
      expect([path, found.filter((address) => !address.startsWith('/vitrine/'))]).toEqual([path, []]);
      expect([path, response.status]).not.toEqual([path, 418]);
      for (const address of found) if (!seen.has(address) && seen.add(address)) waiting.push(address);
      if (path !== '/vitrine/api/v1/nws' && !path.endsWith('search')) expect([path, [200, 308].includes(response.status)]).toEqual([path, true]);
    }
    expect(seen.size).toBeGreaterThan(25);
  });

  it('has a description whose server is the mount', async () => {
    const origin = await listening(mount((await worldHandler()).handler));
    expect(await (await fetch(`${origin}/vitrine/openapi.json`)).json()).toMatchObject({ servers: [{ url: '/vitrine' }] });
  });

  it('accepts an absolute-form target as its path', async () => {
    const origin = await listening(mount((await worldHandler()).handler));
    for (const path of ['/vitrine', '/vitrine/', '/vitrine/api/v1/repositories?limit=1', '/vitrine/api/v1/nws']) {
      const expected = await answerTo(origin, path);
      expect(expected.status).toBe(path.endsWith('nws') ? 404 : 200);
      for (const authority of ['http://acme.example', 'https://acme.example:8443', 'HTTP://localhost'])
        expect(await answerTo(origin, authority + path)).toEqual(expected);
    }
  });

  it('leaves every other path to the server', async () => {
    const origin = await listening(mount((await worldHandler()).handler));
    expect([(await fetch(`${origin}/`)).status, (await fetch(`${origin}/other`)).status]).toEqual([418, 418]);
  });

  it('rejects methods that do not read, and names the problem under the mount', async () => {
    const origin = await listening(mount((await worldHandler()).handler));
    const response = await fetch(`${origin}/vitrine/api/v1/news`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await response.json()).toMatchObject({ type: '/vitrine/problems/method-not-allowed', data: null });
  });
});

describe('the options of the handler', () => {
  it('limit no client by default', async () => {
    const origin = await listening((await worldHandler({ trustProxy: 1 })).handler);
    const response = await fetch(`${origin}/vitrine`, { headers: { 'X-Forwarded-For': '203.0.113.5' } });
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null]);
  });

  it('limit each client, as the proxies in front of the server name it', async () => {
    const origin = await listening((await worldHandler({ trustProxy: ['127.0.0.1'], limits: { requestsPerMinute: 2 } })).handler);
    const ask = async (client: string) => {
      const response = await fetch(`${origin}/vitrine/api/v1/news`, { headers: { 'X-Forwarded-For': client } });
      return [response.status, response.headers.get('ratelimit-policy')];
    };
    const policy = '"requests";q=2;w=60, "searches";q=60;w=60';
    for (const status of [200, 200, 429]) expect(await ask('203.0.113.5')).toEqual([status, policy]);
    expect(await ask('203.0.113.6')).toEqual([200, policy]);
    expect((await fetch(`${origin}/vitrine/livez`, { headers: { 'X-Forwarded-For': '203.0.113.5' } })).status).toBe(200);
  });

  it.each([
    [{ limits: { requestsPerMinute: 0 } }, 'limits: requestsPerMinute must be a whole number from 1 to 1000000000, not 0'],
    [{ limits: { searchPerMinute: 5 } }, 'limits: searchPerMinute is not known. Did you mean searchesPerMinute?'],
    [{ basePaht: '/vitrine' }, 'createVitrineHandler: basePaht is not known. Did you mean basePath?'],
    [{ logger: console }, 'createVitrineHandler: logger must be a logger of pino, not an object'],
    [{ storeSlots: '20' }, 'createVitrineHandler: storeSlots must be a whole number from 1 to 10000, not "20"'],
    [{ site: { titel: 'Acme' } }, 'site: titel is not known. Did you mean title?'],
    [{ site: { timeZone: 'Europe/Berlim' } }, 'site: timeZone must be a time zone such as Europe/Berlin, not "Europe/Berlim"'],
    [
      { site: { logo: './logo.svg' } },
      'site: logo must be an object such as { type: "image/png", bytes }, with the bytes of an image, or null, not "./logo.svg"',
    ],
    [{ site: { logo: { type: 'image/png', bytes: './logo.png' } } }, 'site: logo must be an object such as '],
    [{ site: { logo: { type: 'text/html', bytes: Buffer.from('x') } } }, 'site: logo must be an object such as '],
    [
      { site: { links: ['https://acme.example'] } },
      'site: links must be a list of objects such as { label: "Docs", url: "https://acme.example" }, not [',
    ],
    [{ site: { links: [{ text: 'Docs', href: 'https://acme.example' }] } }, 'site: links must be a list of objects such as '],
    [{ health: null }, 'createVitrineHandler: health must be an object with a state, such as a connection of connectMongo, not null'],
    [{ health: true }, 'createVitrineHandler: health must be an object with a state, such as a connection of connectMongo, not true'],
    [{ trustProxy: 0, limits: {} }, 'trustProxy: 0 is not valid. Use a number of proxies from 1 to 10, or a list of addresses.'],
    [{ trustProxy: ['proxy'] }, 'trustProxy: "proxy" is not valid. Use an address such as 10.0.0.1, or a network such as 10.0.0.0/8.'],
  ])('reject %j', async (options, message) => {
    await expect(worldHandler(options as object)).rejects.toThrow(message);
  });

  it.each([undefined, {}])('name what is missing in %j', (options) => {
    const missing = 'publicUrl must be an http(s) address without a slash at its end, such as https://acme.example/vitrine, not undefined';
    expect(() => createVitrineHandler(options as unknown as VitrineHandlerOptions)).toThrow(new TypeError(`createVitrineHandler: ${missing}`));
    expect(() => vitrinePresenters(options as unknown as { publicUrl: string })).toThrow(new TypeError(`vitrinePresenters: ${missing}`));
  });

  it('take a value that is undefined as one that was left out', async () => {
    const options = { logger: undefined, basePath: undefined, site: { title: undefined }, limits: { loopback: undefined } };
    const origin = await listening((await worldHandler(options as object)).handler);
    expect(await (await fetch(`${origin}/vitrine`, { headers: { Accept: 'text/html' } })).text()).toContain('<title>Vitrine');
  });

  it.each(['acme.example', 'ftp://acme.example', 'https://acme.example/', 'https://acme.example/?x=1', 'https://user:pass@acme.example'])(
    'reject %s as the public address',
    async (publicUrl) => {
      await expect(worldHandler({ publicUrl })).rejects.toThrow(/publicUrl must be an http/);
    },
  );

  it.each(['vitrine', '/vitrine/', '/a b', '/a//b'])('refuse %s as the base path', async (basePath) => {
    await expect(worldHandler({ basePath })).rejects.toThrow(/basePath must be a path such as /);
  });

  it('accept a base path that differs from the public one, for a proxy that removes it', async () => {
    const origin = await listening((await worldHandler({ basePath: '' })).handler);
    expect(await (await fetch(`${origin}/api/v1/status`)).json()).toMatchObject({
      data: { provenance: { sourceUrl: 'https://acme.example/vitrine/api/v1/status' } },
    });
  });

  it.each([
    ['store', undefined, /^store: the value has no readers\. Pass the whole store/],
    ['store', fakeStore().readers, /^store: the value is the readers of a store\. Pass the whole store/],
    ['approved', undefined, /^approved: it is not a function\. Pass a function/],
    ['approved', approved(), /^approved: it is not a function\. Pass a function/],
    ['approved', () => Allowlist.of('acme/widget'), /^approved: the function returns something else .* Return allowlist\.approved\(\)/],
    ['approved', () => undefined, /^approved: the function returns something else .* Return allowlist\.approved\(\)/],
    ['approved', () => Promise.resolve(approved()), /^approved: the function returns a promise .* It must be synchronous/],
    ['approved', () => Promise.reject(new Error('lost')), /^approved: the function returns a promise .* It must be synchronous/],
  ])('reject a wrong value of %s when the handler is made: %p', (name, value, message) => {
    const options = { store: fakeStore(), approved, publicUrl: PUBLIC_URL, [name]: value } as unknown as VitrineHandlerOptions;
    expect(() => createVitrineHandler(options)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) as string }),
    );
  });

  it('accept a permission that cannot be read yet', async () => {
    const lost = (): never => {
      throw new UnavailableError();
    };
    const origin = await listening((await worldHandler({ basePath: '', approved: lost })).handler);
    expect((await fetch(`${origin}/api/v1/repositories`)).status).toBe(503);
  });

  it('provide the permission for each request', async () => {
    let list = Allowlist.of('acme/widget');
    const origin = await listening((await worldHandler({ basePath: '', approved: () => list.approved() })).handler);
    const count = async () => ((await (await fetch(`${origin}/api/v1/repositories`)).json()) as { data: unknown[] }).data.length;
    expect(await count()).toBe(1);
    list = Allowlist.of();
    expect(await count()).toBe(0);
  });
});

it('has presenters that put the path of the public address before every path, as the API does', async () => {
  const { store, clock, handler } = await worldHandler();
  const origin = await listening(handler);
  const present = vitrinePresenters({ publicUrl: 'https://acme.example/vitrine' });
  const useCases = createUseCases(store.readers, { clock });
  const page = { limit: 20, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };
  const context = { approved: approved(), signal };
  const dataOf = async (path: string) => ((await (await fetch(`${origin}/vitrine/api/v1/${path}`)).json()) as { data: unknown }).data;
  const { data } = await useCases.listCommits.execute(page, context);
  expect(data.items.map(present.commit)).toEqual(await dataOf('development/commits'));
  const overview = await useCases.getOverview.execute({}, context);
  expect(present.overview(overview.data, overview.generatedAt)).toEqual(await dataOf('overview'));
});

it('has presenters whose JSON equals that of the API', async () => {
  const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE });
  const { store, clock } = await worldHandler();
  const present = vitrinePresenters({ publicUrl: PUBLIC_URL, hasPages: true });
  const { listCommits, getOverview } = createUseCases(store.readers, { clock });
  const page = { limit: 20, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };
  const { data } = await listCommits.execute(page, { approved: approved(), signal });
  expect({ data: data.items.map(present.commit) }).toEqual({ data: ((await api.get('/api/v1/development/commits')).json as { data: unknown }).data });
  const overview = await getOverview.execute({}, { approved: approved(), signal });
  expect(present.overview(overview.data, overview.generatedAt)).toEqual(((await api.get('/api/v1/overview')).json as { data: unknown }).data);
  await api.close();
});

it('has presenters whose types are those of the JSON', async () => {
  const { store, clock } = await worldHandler();
  const { listCommits, listArticles, listServices, getRepositoryHub } = createUseCases(store.readers, { clock });
  const present = vitrinePresenters({ publicUrl: PUBLIC_URL });
  const [commit] = (await listCommits.execute({}, { approved: approved(), signal })).data.items.map(present.commit);
  const [article] = (await listArticles.execute({}, { approved: approved(), signal })).data.items.map(present.article);
  const [service] = (await listServices.execute({}, { signal })).data.items.map(present.service);
  const hub = present.hub((await getRepositoryHub.execute({ fullName: 'acme/widget' }, { approved: approved(), signal })).data);
  // The annotations are the test, together with the check of types of the tests.
  const texts: readonly (string | undefined)[] = [
    ...[commit?.committedAt, commit?.title, commit?.href, commit?.provenance.observedAt, commit?.repository.fullName],
    ...[article?.kind, article?.publishedAt, service?.currentState],
  ];
  const flags: readonly boolean[] = [hub.partial];
  const numbers: readonly (number | undefined)[] = [commit?.additions, service?.checksTracked];
  expect([...texts, ...numbers, ...flags].map((value) => typeof value)).toEqual([
    ...texts.map(() => 'string'),
    ...numbers.map(() => 'number'),
    ...flags.map(() => 'boolean'),
  ]);
  // @ts-expect-error It is not published.
  expect(commit?.changedPaths).toBeUndefined();
});
