import { aCommit, anArticle, anIncident, aService, NOW, someNews } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Api } from './support/api.js';
import { smallWorld } from './support/small-world.js';

function records({ json }: Awaited<ReturnType<Api['get']>>): readonly Readonly<Record<string, unknown>>[] {
  return (json as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
}

describe('a filter over documented values', () => {
  let api: Api;
  beforeAll(async () => {
    const commits = ['fix', 'docs', null].map((changeType, index) => aCommit({ sha: String(index + 1).repeat(40), changeType }));
    const incidents = (['investigating', 'scheduled', 'completed'] as const).map((state) =>
      anIncident({ id: `inc_${state}`, state, startedAt: NOW }),
    );
    api = await Api.open({ records: [...smallWorld, ...commits, ...incidents], site: DEFAULT_SITE });
  });
  afterAll(() => api.close());

  it.each([
    ['/api/v1/development/commits?changeType=', 'performance', 'Performance'],
    ['/api/v1/development/releases?releaseType=', 'stable', 'STABLE'],
    ['/api/v1/development/findings?status=', 'CONFIRMED', 'confirmed'],
    ['/api/v1/development/findings?changeType=', 'tests', 'Tests'],
    ['/api/v1/missions?status=', 'active', 'Active'],
    ['/api/v1/articles?kind=', 'changelog', 'ChangeLog'],
    ['/api/v1/status/incidents?state=', 'resolved', 'RESOLVED'],
    ['/api/v1/search?q=widget&type=', 'commit,status-service', 'Commit,Service'],
  ])('takes any letter case: %s%s', async (address, value, other) => {
    const [expected, answer] = [await api.get(address + value), await api.get(address + other)];
    expect([expected.status, answer.status]).toEqual([200, 200]);
    expect(records(answer)).toEqual(records(expected));
  });

  it.each([
    ['/api/v1/development/commits', 'changeType', 'changeType'],
    ['/api/v1/development/releases', 'releaseType', 'releaseType'],
    ['/api/v1/development/findings', 'status', 'status'],
    ['/api/v1/development/findings', 'changeType', 'changeType'],
    ['/api/v1/missions', 'status', 'status'],
    ['/api/v1/articles', 'kind', 'kind'],
    ['/api/v1/status/incidents', 'state', 'state'],
  ])('takes several values with commas between them: %s %s', async (address, name, field) => {
    const all = records(await api.get(address));
    const values = [...new Set(all.map((record) => String(record[field])))];
    expect(values.length).toBeGreaterThan(0);
    const two = values.slice(0, 2);
    const answer = await api.get(`${address}?${name}=${[...two, ...two].join(',').toLowerCase()}&limit=100`);
    expect(records(answer)).toEqual(all.filter((record) => two.includes(String(record[field]))));
    expect(answer.json).not.toHaveProperty('meta.warnings');
  });

  it('takes the same values on pages and in feeds, whose pages have one address for all spellings', async () => {
    const page = await api.send('GET', '/commits?changeType=Docs,FIX');
    expect([page.status, page.body.includes('/commits?changeType=fix%2Cdocs')]).toEqual([200, true]);
    expect(page.body.match(/\/commits\/acme%2Fwidget%40(1{40}|2{40})"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(page.body).not.toContain(`/commits/acme%2Fwidget%40${'3'.repeat(40)}`);
    expect((await api.send('GET', '/status/history?state=open')).status).toBe(200);
    const feed = JSON.parse((await api.send('GET', '/feeds/commits.json?changeType=docs,fix')).body) as { readonly items: readonly unknown[] };
    expect(feed.items).toHaveLength(2);
  });

  it('takes `open` for the states of incidents that are not over', async () => {
    const all = records(await api.get('/api/v1/status/incidents'));
    const over = ['resolved', 'postmortem', 'completed'];
    const open = all.filter(({ state }) => !over.includes(String(state)));
    expect(new Set(all.map(({ state }) => over.includes(String(state)))).size).toBe(2);
    expect(records(await api.get('/api/v1/status/incidents?state=open'))).toEqual(open);
    expect(records(await api.get('/api/v1/status/incidents?state=OPEN,resolved,postmortem,completed'))).toEqual(all);
  });

  it('takes at most 20 different values, and refuses empty ones', async () => {
    const words = Array.from({ length: 21 }, (_, index) => `w${String(index)}`);
    const many = (count: number) => `/api/v1/development/commits?changeType=${words.slice(0, count).join(',')}`;
    expect((await api.get(`${many(20)},${words[0] ?? ''}`)).status).toBe(200);
    expect((await api.get(many(21))).json).toMatchObject({ errors: [{ parameter: 'changeType', detail: 'must have at most 20 values' }] });
    for (const value of [',', 'fix,', ',fix', 'fix,,docs', 'fix, docs'])
      expect((await api.get(`/api/v1/development/commits?changeType=${encodeURIComponent(value)}`)).status).toBe(400);
    const closed = { code: 'INVALID_PARAMETER', errors: [{ allowed: ['article', 'help', 'changelog'] }] };
    expect((await api.get('/api/v1/articles?kind=help,blog')).json).toMatchObject(closed);
  });

  it('continues a list whose filter is spelt in another way', async () => {
    const first = await api.get('/api/v1/development/commits?changeType=performance,fix,docs,tests,feature&limit=1');
    const { nextCursor } = (first.json as { readonly meta: { readonly nextCursor: string } }).meta;
    const next = await api.get(`/api/v1/development/commits?changeType=FEATURE,tests,fix,docs,fix,performance&limit=1&cursor=${nextCursor}`);
    expect([next.status, records(next).length]).toEqual([200, 1]);
  });

  it('looks up a value that is not documented, and warns with the known ones', async () => {
    const { status, json } = await api.get('/api/v1/development/releases?releaseType=Final');
    const detail = 'releaseType has a value that is not known. The known values: stable, prerelease, rc, beta, alpha, nightly.';
    expect([status, json]).toMatchObject([200, { data: [], meta: { warnings: [{ code: 'UNKNOWN_VALUE', source: 'release', detail }] } }]);
    expect(JSON.stringify((await api.get('/api/v1/development/releases?releaseType=RC')).json)).not.toContain('UNKNOWN_VALUE');
    expect((await api.get('/api/v1/search?q=widget&type=services')).json).toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});

describe('a filter over free text', () => {
  const texts = ['Erste Schritte', 'c++ & c#', '日本語', 'a,b', '50 %'];

  it.each([
    ['/articles', '/api/v1/articles?tag=', (text: string, id: string) => anArticle({ id, tags: ['other', text] })],
    ['/news', '/api/v1/news?source=', (text: string, id: string) => someNews({ id, source: text })],
    ['/commits', '/api/v1/development/commits?branch=', (branch: string, id: string) => aCommit({ sha: id.padStart(40, '0'), branch })],
    [null, '/api/v1/status/services?group=', (group: string, id: string) => aService({ key: `acme:${id}`, group })],
  ])('takes every text that a record can have: %s %s', async (page, address, recordOf) => {
    const api = await Api.open({
      records: [...smallWorld, ...texts.map((text, index) => recordOf(text, `${String(index)}abc`))],
      site: DEFAULT_SITE,
    });
    for (const text of texts) {
      const filter = address.slice(address.indexOf('?')) + encodeURIComponent(text);
      const found = await api.get(address + encodeURIComponent(text));
      expect([text, found.status, records(found).length]).toEqual([text, 200, 1]);
      if (page !== null) expect([text, (await api.send('GET', page + filter)).status]).toEqual([text, 200]);
    }
    await api.close();
  });
});
