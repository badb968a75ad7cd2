import { UnavailableError, type StoredRecord, type Sync } from '@vitrine/core';
import { aCommit, aRepositoryRecord, aService, aSync } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';
import { NOW } from './support/small-world.js';

const MINUTE = 60_000;
const NEVER = { firstAttemptAt: null, lastAttemptAt: null, lastSuccessAt: null } as const;
const RECORD = 'public, max-age=30, stale-while-revalidate=30';
const NAMES = ['acme/a', 'acme/b', 'acme/c', 'acme/d'] as const;

type Ref = `${string}/${string}`;

const gitSync = (ref: Ref, over: Partial<Sync> = {}): Sync =>
  aSync({ id: `git:${ref}`, label: ref, repositoryRef: ref, lastSuccessAt: NOW - MINUTE, lastAttemptAt: NOW - MINUTE, ...over });
const probeSync = (key: string, over: Partial<Sync> = {}): Sync =>
  aSync({
    id: `probe:${key}`,
    sourceType: 'probe',
    label: key,
    repositoryRef: '-',
    feeds: ['check'],
    lastSuccessAt: NOW - MINUTE,
    lastAttemptAt: NOW - MINUTE,
    ...over,
  });
const stored = (ref: Ref): StoredRecord[] => [aRepositoryRecord({ repositoryRef: ref, fullName: ref }), aCommit({ repositoryRef: ref })];

interface Body {
  readonly data: unknown;
  readonly meta: { readonly dataStatus: string; readonly warnings?: readonly { readonly code: string; readonly source: string }[] };
}

async function statusOf(api: Api, target: string): Promise<unknown> {
  const { json, headers } = await api.get(target);
  const { meta } = json as Body;
  return [meta.dataStatus, (meta.warnings ?? []).map(({ code, source }) => `${code} ${source}`), headers['cache-control']];
}

async function sourcesOf(api: Api, target = '/api/v1/sources?limit=100') {
  return ((await api.get(target)).json as { readonly data: readonly Record<string, unknown>[] }).data;
}

describe('are partial while two of four repositories fail from their first run on', () => {
  const failing = { ...NEVER, firstAttemptAt: NOW - 5 * MINUTE, lastAttemptAt: NOW - MINUTE, lastFailureAt: NOW - MINUTE, lastFailureCode: 'FAILED' };
  const records = [
    ...NAMES.flatMap(stored),
    gitSync('acme/a'),
    gitSync('acme/b'),
    gitSync('acme/c', failing),
    gitSync('acme/d', { ...failing }),
    gitSync('acme/secret', failing),
  ];
  let api: Api;
  beforeEach(async () => (api = await Api.open({ records, approved: approving(...NAMES) })));

  const incomplete = ['SOURCE_INCOMPLETE commit'];

  it.each([
    ['/api/v1/development/commits', ['partial', incomplete, RECORD]],
    ['/api/v1/development/commits?repository=acme/a', ['fresh', [], RECORD]],
    ['/api/v1/development/commits?repository=acme/c', ['partial', incomplete, RECORD]],
    ['/api/v1/development/commits?repository=acme/secret', ['unknown', [], RECORD]],
    ['/api/v1/development/commits?repository=acme/no-such', ['unknown', [], RECORD]],
    ['/api/v1/repositories', ['partial', ['SOURCE_INCOMPLETE repository'], RECORD]],
    ['/api/v1/repositories/acme/a', ['fresh', [], RECORD]],
    ['/api/v1/repositories/acme/d', ['partial', ['SOURCE_INCOMPLETE repository'], RECORD]],
    ['/api/v1/repositories/acme/b/hub', ['fresh', [], RECORD]],
    [
      '/api/v1/repositories/acme/c/hub',
      ['partial', ['SOURCE_INCOMPLETE repository', 'SOURCE_INCOMPLETE commit', 'SOURCE_INCOMPLETE release'], RECORD],
    ],
  ])('say so at %s', async (target, expected) => {
    expect(await statusOf(api, target)).toEqual(expected);
  });

  it('do not report an incomplete part as unreadable', async () => {
    const { json } = await api.get('/api/v1/repositories/acme/c/hub');
    expect((json as { readonly data: unknown }).data).toMatchObject({ partial: false });
  });

  it('have a last good response like others', async () => {
    const reading = { isBroken: false };
    const breakable = await Api.open({
      records,
      cacheAnswers: false,
      approved: approving(...NAMES),
      readers: (readers) => ({
        ...readers,
        commits: {
          ...readers.commits,
          list: (...args) => (reading.isBroken ? Promise.reject(new Error('connection reset')) : readers.commits.list(...args)),
        },
      }),
    });
    await breakable.get('/api/v1/development/commits');
    reading.isBroken = true;
    expect(await statusOf(breakable, '/api/v1/development/commits')).toEqual(['stale', ['SOURCE_UNAVAILABLE store'], 'no-store']);
  });
});

describe('answers', () => {
  it.each([
    ['a source that has not run yet', NEVER, ['partial', ['SOURCE_INCOMPLETE commit'], RECORD]],
    ['a source whose last run is dated in the future', { lastSuccessAt: NOW + 60 * MINUTE }, ['stale', ['SOURCE_LATE commit'], RECORD]],
    ['a late source', { lastSuccessAt: NOW - 60 * MINUTE }, ['stale', ['SOURCE_LATE commit'], RECORD]],
    ['a source that fails but is not late', { lastFailureAt: NOW }, ['fresh', [], RECORD]],
  ] as const)('with %s', async (_, over, expected) => {
    const api = await Api.open({ records: [...stored('acme/widget'), gitSync('acme/widget', over)] });
    expect(await statusOf(api, '/api/v1/development/commits')).toEqual(expected);
    expect(await statusOf(api, '/api/v1/development/commits/9f1c2d3')).toEqual(expected);
  });

  it('about one record or repository depend on its own sources and on those that belong to no repository', async () => {
    const records = aSync({ ...NEVER, id: 'records:news', sourceType: 'records', label: 'news', repositoryRef: '-', feeds: ['commit'] });
    const api = await Api.open({ records: [...stored('acme/widget'), gitSync('acme/widget'), records] });
    for (const target of ['?repository=acme/widget', '/9f1c2d3', ''])
      expect([target, await statusOf(api, `/api/v1/development/commits${target}`)]).toEqual([
        target,
        ['partial', ['SOURCE_INCOMPLETE commit'], RECORD],
      ]);
  });

  it('about one service depend on its own probes', async () => {
    const services = [aService({ key: 'acme:api' }), aService({ key: 'acme:web' })];
    const api = await Api.open({ records: [...services, probeSync('acme:api'), probeSync('acme:web', NEVER)] });
    const statuses = [
      '/api/v1/status/services/acme:api',
      '/api/v1/status/services/acme:api/history',
      '/api/v1/status/services/acme:web',
      '/api/v1/status',
    ];
    const found = await Promise.all(statuses.map(async (target) => ((await api.get(target)).json as Body).meta.dataStatus));
    expect(found).toEqual(['fresh', 'fresh', 'partial', 'partial']);
  });
});

describe('GET /api/v1/sources', () => {
  it('lists the sources of approved repositories and those of no repository, by id', async () => {
    const records = [
      gitSync('acme/widget', { label: 'Acme/Widget', lastFailureAt: NOW, lastFailureCode: 'GIT_SECRET' }),
      gitSync('acme/secret'),
      probeSync('acme:api', NEVER),
      aSync({ id: 'records /srv/hidden', sourceType: 'records', label: 'records', repositoryRef: '-', feeds: [] }),
      aSync({
        id: 'configuration:sources',
        sourceType: 'configuration',
        label: 'configuration',
        repositoryRef: '-',
        feeds: [],
        state: 'git:acme/secret',
      }),
      aSync({ id: 'records:8f2', sourceType: 'records', label: 'records', repositoryRef: '-', feeds: ['news'], lastSuccessAt: NOW - 60 * MINUTE }),
    ];
    const api = await Api.open({ records, approved: approving('Acme/Widget') });
    const at = new Date(NOW - MINUTE).toISOString();
    const sources = await sourcesOf(api);
    expect(sources).toMatchObject([
      {
        id: 'git:acme/widget',
        sourceType: 'git',
        label: 'Acme/Widget',
        feeds: ['repository', 'commit', 'release'],
        repository: 'Acme/Widget',
        service: null,
        state: 'failing',
        lastSuccessAt: at,
        lastAttemptAt: at,
        intervalSeconds: 300,
        provenance: { source: 'vitrine', sourceKind: 'service-interpretation' },
      },
      {
        id: 'probe:acme:api',
        sourceType: 'probe',
        repository: null,
        service: 'acme:api',
        state: 'pending',
        lastSuccessAt: null,
        lastAttemptAt: null,
      },
      { id: 'records:8f2', sourceType: 'records', repository: null, service: null, state: 'late' },
    ]);
    expect(JSON.stringify(sources)).not.toMatch(/secret|hidden|GIT_SECRET/i);
  });

  it('pages by id', async () => {
    const api = await Api.open({ records: NAMES.map((name) => gitSync(name)), approved: approving(...NAMES) });
    const ids: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await api.get(`/api/v1/sources?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const { data, meta } = json as { readonly data: readonly { readonly id: string }[]; readonly meta: { readonly nextCursor: string | null } };
      ids.push(data.map(({ id }) => id));
      cursor = meta.nextCursor;
    }
    expect(ids).toEqual([['git:acme/a', 'git:acme/b', 'git:acme/c'], ['git:acme/d']]);
  });

  it('gives caches the keys of the repositories of its sources', async () => {
    const api = await Api.open({ records: [gitSync('acme/widget')] });
    const [source, repository] = await Promise.all([api.get('/api/v1/sources'), api.get('/api/v1/repositories/acme/widget')]);
    expect(repository.status).toBe(404);
    expect(source.headers['surrogate-key']).toMatch(/^[0-9a-f]{8}$/);
  });

  it('is unavailable without a readable allowlist', async () => {
    const api = await Api.open({
      records: [gitSync('acme/widget')],
      approved: {
        current: () => {
          throw new UnavailableError();
        },
      },
    });
    expect((await api.get('/api/v1/sources')).status).toBe(503);
  });
});

afterEach(() => Api.closeAll());
