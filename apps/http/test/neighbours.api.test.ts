import { HOUR, MINUTE, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { aCommit, aFinding, aMission, anArticle, anIncident, aRelease, aRepositoryRecord, aVideo, NOW, someNews } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { smallWorld } from './support/small-world.js';

const REPOSITORIES = ['acme/widget', 'acme/gadget', 'acme/secret'] as const;
const LISTS = [
  '/api/v1/development/commits',
  '/api/v1/development/releases',
  '/api/v1/development/findings',
  '/api/v1/missions',
  '/api/v1/news',
  '/api/v1/articles',
  '/api/v1/videos',
  '/api/v1/status/incidents',
];

/** Several records of each kind, some at the same time, of each repository and of none. */
function records(index: number): readonly StoredRecord[] {
  const at = NOW - (index - (index % 3)) * MINUTE;
  const id = `r${String(index)}`;
  const repositoryRef = REPOSITORIES[index % REPOSITORIES.length] ?? 'acme/widget';
  const anyRef = index % 2 === 0 ? repositoryRef : '-';
  return [
    aCommit({ sha: String(index).padStart(40, 'a'), repositoryRef, committedAt: at }),
    aRelease({ tagName: id, id: `${repositoryRef}@${id}`, repositoryRef, publishedAt: at }),
    aFinding({ id, repositoryRef, detectedAt: at }),
    aMission({ id, repositoryRef: anyRef, createdAt: at }),
    someNews({ id, publishedAt: at, listedAt: at }),
    anArticle({ id, repositoryRef: anyRef, publishedAt: at }),
    aVideo({ id, repositoryRef: anyRef, publishedAt: at }),
    anIncident({ id, startedAt: at }),
  ];
}

interface Shown {
  readonly href: string;
  readonly repository?: { readonly fullName: string } | null;
  readonly neighbours?: { readonly older: string | null; readonly newer: string | null };
}

const nameOf = ({ repository }: Shown): string | null => repository?.fullName ?? null;

describe('the neighbours of a record', () => {
  let api: Api;
  const read = async <Data>(target: string) => ((await api.get(target)).json as { readonly data: Data }).data;

  beforeAll(async () => {
    const repositories = REPOSITORIES.map((fullName) => aRepositoryRecord({ fullName, repositoryRef: fullName }));
    const all = Array.from({ length: 14 }, (_, index) => records(index)).flat();
    api = await Api.open({ records: [...repositories, ...all], approved: approving('acme/widget', 'acme/gadget') });
  });

  afterAll(() => api.close());

  it.each(LISTS)('are those in the list of its repository, or of all: %s', async (list) => {
    const shown = await read<readonly Shown[]>(`${list}?limit=100`);
    expect(shown.length).toBeGreaterThan(5);
    for (const record of shown) {
      const own = nameOf(record) === null ? shown : shown.filter((other) => nameOf(other) === nameOf(record));
      const at = own.indexOf(record);
      const { neighbours, href, ...body } = await read<Shown>(`${record.href}?include=neighbours`);
      expect([href, neighbours]).toEqual([record.href, { older: own[at + 1]?.href ?? null, newer: own[at - 1]?.href ?? null }]);
      expect({ ...body, href }).toEqual(record);
    }
  });
});

it('sends the uptime by month of a service on demand', async () => {
  const api = await Api.open({ records: smallWorld });
  const read = async (query: string) => ((await api.get(`/api/v1/status/services/acme%3Awidget-api${query}`)).json as { readonly data: object }).data;
  const [bare, { months, ...rest }] = [await read(''), (await read('?include=months')) as { readonly months: unknown }];
  expect(months).toEqual([{ month: '2026-11', uptimePercent: 90, checksTracked: 10, outageMs: 60_000 }]);
  expect(rest).toEqual(bare);
  await api.close();
});

describe('the commits since the release before', () => {
  const commitAt = (digit: string, committedAt: number, repositoryRef = 'acme/widget') =>
    aCommit({ sha: digit.repeat(40), committedAt, repositoryRef: repositoryRef as RepositoryRef });
  const releaseAt = (tagName: string, publishedAt: number, platform: string | null = null) => aRelease({ tagName, publishedAt, platform });
  const records = [
    aRepositoryRecord(),
    ...[releaseAt('v1', NOW - 9 * HOUR), releaseAt('v2', NOW - 6 * HOUR, 'linux'), releaseAt('v3', NOW - 3 * HOUR, 'macos')],
    releaseAt('v4', NOW - HOUR, 'linux'),
    ...[commitAt('a', NOW - 9 * HOUR), commitAt('b', NOW - 8 * HOUR), commitAt('c', NOW - 6 * HOUR), commitAt('d', NOW - 4 * HOUR)],
    ...[commitAt('e', NOW - 2 * HOUR), commitAt('f', NOW - 2 * HOUR, 'acme/gadget')],
  ];
  const bodyOf = async (api: Api, tag: string, query = '?include=commits') =>
    (await api.get(`/api/v1/development/releases/acme%2Fwidget%40${tag}${query}`)).json as {
      readonly data: { readonly commits?: readonly { readonly sha: string }[] | null };
      readonly meta: { readonly dataStatus: string };
    };
  const digitsOf = async (api: Api, tag: string) => (await bodyOf(api, tag)).data.commits?.map(({ sha }) => sha.slice(0, 1)).join('') ?? null;

  it('are sent on demand, newest first, as lists send them; the release before is that for the same platform, if there is one', async () => {
    const api = await Api.open({ records, approved: approving('acme/widget', 'acme/gadget') });
    expect(await Promise.all(['v1', 'v2', 'v3', 'v4'].map((tag) => digitsOf(api, tag)))).toEqual([null, 'cb', 'd', 'ed']);
    const { commits, ...rest } = (await bodyOf(api, 'v2')).data;
    expect((await bodyOf(api, 'v2', '')).data).toEqual(rest);
    const listed = (await api.get('/api/v1/development/commits?from=2026-11-20T05:30:00Z&to=2026-11-20T08:00:00Z')).json;
    expect(listed).toMatchObject({ data: commits });
    await api.close();
  });

  it('are the newest 20, and a commit that is stored later is among them', async () => {
    const many = Array.from({ length: 30 }, (_, index) => aCommit({ sha: String(index).padStart(40, '0'), committedAt: NOW - 5 * HOUR - index }));
    const api = await Api.open({ records: [...records, ...many] });
    expect((await bodyOf(api, 'v3')).data.commits).toHaveLength(20);
    await api.store.writer.put([commitAt('9', NOW - 3 * HOUR - 1)], { signal: new AbortController().signal });
    expect(await digitsOf(api, 'v3')).toMatch(/^9d/);
    await api.close();
  });

  it('are null in a partial answer while they cannot be read', async () => {
    const faults = new FaultyStore();
    const api = await Api.open({ records, readers: faults.over });
    faults.set('fails', 'commits');
    const { data, meta } = await bodyOf(api, 'v3');
    expect([data.commits, meta]).toEqual([
      null,
      expect.objectContaining({ dataStatus: 'partial', warnings: [expect.objectContaining({ source: 'commit' })] }),
    ]);
    await api.close();
  });
});
