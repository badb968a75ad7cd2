import { aFinding, anIncident, aRelease } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Api } from './support/api.js';
import { PUBLIC_URL, secondCommit, smallWorld } from './support/small-world.js';

/** Every list and every composed response, with records of all kinds. */
const SHOWING = [
  '/api/v1/development/commits',
  '/api/v1/development/releases',
  '/api/v1/development/findings',
  '/api/v1/missions',
  '/api/v1/repositories',
  '/api/v1/repositories/acme/widget/hub',
  '/api/v1/news',
  '/api/v1/articles',
  '/api/v1/videos',
  '/api/v1/overview',
  '/api/v1/search?q=widget',
  '/api/v1/status',
  '/api/v1/status/incidents',
];
const WITHOUT_ADDRESS = /"(latestRelease|builds|impacts|updates)"/;
const SLASHED = aRelease({ tagName: 'release/2026@1', id: 'acme/widget@release/2026@1' });

interface Linked {
  readonly holder: Readonly<Record<string, unknown>>;
  readonly href: string;
}

/** Every object with its own `href`, at any depth. */
function linkedIn(value: unknown): readonly Linked[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Linked['holder'];
  const own = typeof holder['href'] === 'string' ? [{ holder, href: holder['href'] }] : [];
  return [...own, ...Object.values(holder).flatMap(linkedIn)];
}

const sorted = (json: unknown) => JSON.parse(JSON.stringify(json)) as { readonly data: Readonly<Record<string, unknown>> };

describe('the address of a record', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: [...smallWorld, secondCommit, SLASHED] });
  });

  afterAll(() => api.close());

  it.each(SHOWING)('returns the same record, wherever it is shown: %s', async (target) => {
    const found = linkedIn((await api.get(target)).json);
    expect(found.length).toBeGreaterThan(0);
    for (const { holder, href } of found) {
      const answer = await api.get(href);
      expect([href, answer.status]).toEqual([href, 200]);
      // A search result is a view of its record, with the address of the record.
      if (!('matchedFields' in holder)) expect(sorted(answer.json).data).toEqual(holder);
    }
  });

  it('is in every record that has one, and in nothing else', async () => {
    for (const target of SHOWING) {
      const withProvenance = (value: unknown, name = ''): void => {
        if (typeof value !== 'object' || value === null || WITHOUT_ADDRESS.test(`"${name}"`)) return;
        const holder = value as Readonly<Record<string, unknown>>;
        const isOverview = 'overallState' in holder;
        if ('provenance' in holder) expect([target, name, 'href' in holder]).toEqual([target, name, !isOverview]);
        for (const [key, member] of Object.entries(holder)) withProvenance(member, Array.isArray(value) ? name : key);
      };
      withProvenance((await api.get(target)).json);
    }
  });

  it('of a repository is next to the address of its hub', async () => {
    const [repository] = linkedIn((await api.get('/api/v1/repositories')).json);
    expect(repository?.holder).toMatchObject({ href: '/api/v1/repositories/acme%2Fwidget', hubHref: '/api/v1/repositories/acme/widget/hub' });
    expect((await api.get('/api/v1/repositories/acme/widget/hub')).status).toBe(200);
  });

  it.each([
    ['/api/v1/development/releases/acme%2Fwidget%40v2.1.0', '/api/v1/development/releases/acme/widget@v2.1.0'],
    ['/api/v1/development/releases/acme%2Fwidget%40release%2F2026%401', '/api/v1/development/releases/acme/widget@release/2026@1'],
    [
      '/api/v1/development/commits/acme%2Fwidget%409f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
      '/api/v1/development/commits/Acme/widget@9f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
    ],
  ])('may contain unencoded slashes and @: %s', async (canonical, plain) => {
    const [a, b] = [await api.get(canonical), await api.get(plain)];
    expect([a.status, b.body]).toEqual([200, a.body]);
    expect(b.json).toMatchObject({ data: { href: canonical } });
  });

  it.each(['acme//widget@v2.1.0', 'acme/./widget@v2.1.0', 'acme/x/../widget@v2.1.0', '/widget@v2.1.0'])(
    'has no empty and no dot segments: %s',
    async (id) => {
      expect(await api.send('GET', `/api/v1/development/releases/${id}`)).toMatchObject({ status: 404, json: { code: 'ROUTE_NOT_FOUND' } });
    },
  );

  it('with a trailing slash redirects to the address without it', async () => {
    const { status, headers } = await api.send('GET', '/api/v1/development/releases/acme/widget@v2.1.0/');
    expect([status, headers['location']]).toEqual([308, '/api/v1/development/releases/acme/widget@v2.1.0']);
  });
});

it('is among the same links at / and, in the envelope, at /api/v1', async () => {
  const api = await Api.open();
  const [plain, enveloped] = [await api.get('/'), await api.get('/api/v1')];
  expect(enveloped.json).toEqual({ data: plain.json, meta: { apiVersion: 'v1', dataStatus: 'fresh', nextCursor: null, hasMore: false } });
  await api.close();
});

it('the page of a record is named beside its address, and leads to it', async () => {
  const api = await Api.open({ records: [...smallWorld, secondCommit, SLASHED], site: DEFAULT_SITE });
  const pages = new Map<string, string>();
  for (const target of SHOWING)
    for (const { holder, href } of linkedIn((await api.get(target)).json)) {
      expect([href, holder['pageUrl']]).toEqual([href, expect.stringMatching(`^${PUBLIC_URL}/`)]);
      pages.set(String(holder['pageUrl']).slice(PUBLIC_URL.length), href);
    }
  expect(new Set(pages.values()).size).toBe(pages.size);
  for (const path of pages.keys()) {
    const { status, headers } = await api.send('GET', path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
  }
  await api.close();
});

it.each([
  ['/releases/acme%2Fwidget%40v2.1.0', '/releases/ACME/Widget@v2.1.0'],
  ['/releases/acme%2Fwidget%40v2.1.0', '/releases/Acme%2Fwidget@v2.1.0?utm_source=x'],
  [`/commits/acme%2Fwidget%40${secondCommit.sha}`, `/commits/${secondCommit.sha.slice(0, 9).toUpperCase()}`],
  [`/commits/acme%2Fwidget%40${secondCommit.sha}`, `/commits/${secondCommit.sha}?repository=ACME/widget`],
  ['/status/incidents/detected%3Aacme%3Adocs%3A1', '/status/incidents/detected:acme:docs:1'],
  ['/repositories/acme/widget', '/repositories/ACME%2FWidget'],
])('the page of a record names one address for all spellings: %s', async (canonical, spelt) => {
  const records = [...smallWorld, secondCommit, anIncident({ id: 'detected:acme:docs:1' })];
  const api = await Api.open({ records, site: DEFAULT_SITE });
  const headOf = async (path: string) => {
    const { status, body } = await api.send('GET', path, { Accept: 'text/html' });
    return [status, ...(body.match(/<link rel="(?:canonical|alternate" type="application\/json)"[^>]*>|<meta property="og:url"[^>]*>/g) ?? [])];
  };
  const head = await headOf(canonical);
  expect(head).toEqual([200, `<link rel="canonical" href="${PUBLIC_URL}${canonical}"/>`, expect.anything(), expect.anything()]);
  expect(await headOf(spelt)).toEqual(head);
  await api.close();
});

it.each(['/commits', '/repositories', '/status/history'])('only the plain first page of a list has a canonical address: %s', async (list) => {
  const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE });
  const headOf = async (path: string) => {
    const { status, body } = await api.send('GET', path, { Accept: 'text/html' });
    return [status, body.match(/<link rel="canonical"[^>]*>|<meta name="robots"[^>]*>/g)];
  };
  for (const plain of [list, `${list}?utm_source=x`, `${list}?limit=20`])
    expect([plain, ...(await headOf(plain))]).toEqual([plain, 200, [`<link rel="canonical" href="${PUBLIC_URL}${list}"/>`]]);
  const filtered = list === '/repositories' ? [] : [`${list}?from=2020-01-01`, `${list}?limit=5&from=2020-01-01`];
  for (const other of [`${list}?limit=5`, `${list}?utm_source=x&limit=5`, ...filtered])
    expect([other, ...(await headOf(other))]).toEqual([other, 200, ['<meta name="robots" content="noindex"/>']]);
  await api.close();
});

it('the page of an incident leads to its services that have a page, and names the others', async () => {
  const services = ['acme:widget-api', 'acme:gone'].map((key) => ({ key, displayName: `Name of ${key}`, impacts: [] }));
  const api = await Api.open({ records: [...smallWorld, anIncident({ id: 'inc_two', services })], site: DEFAULT_SITE });
  const { body } = await api.send('GET', '/status/incidents/inc_two');
  const links = [...body.matchAll(/<a [^>]*href="(\/status\/services\/[^"]*)"/g)].map(([, path = '']) => path);
  expect([...new Set(links)]).toEqual(['/status/services/acme%3Awidget-api']);
  expect(body.match(/Name of acme:gone/g)?.length).toBeGreaterThanOrEqual(2);
  await api.close();
});

it('the page of a finding leads to its commit only as long as that is stored', async () => {
  const findings = [secondCommit.sha, 'e'.repeat(40)].map((commitSha, index) =>
    aFinding({ id: `fnd_${String(index)}`, evidence: { branch: 'gone', additions: 1, deletions: 1, files: [], commitSha } }),
  );
  const api = await Api.open({ records: [...smallWorld, secondCommit, ...findings], site: DEFAULT_SITE });
  const factOf = async (id: string) => /<a[^>]*>[0-9a-f]{12}<\/a>/.exec((await api.send('GET', `/findings/${id}`)).body)?.[0];
  expect(await factOf('fnd_0')).toBe(`<a href="/commits/acme%2Fwidget%40${secondCommit.sha}">${secondCommit.sha.slice(0, 12)}</a>`);
  expect(await factOf('fnd_1')).toBe('<a>eeeeeeeeeeee</a>');
  await api.close();
});
