import { MINUTE, type StoredRecord } from '@vitrine/core';
import { aCommit, aFinding, aMission, anArticle, anIncident, aRelease, aRepositoryRecord, aVideo, NOW, someNews } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';
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
