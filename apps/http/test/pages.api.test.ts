import { DAY, HOUR, type Incident, MINUTE, NO_REPOSITORY, type StoredRecord } from '@vitrine/core';
import {
  aBuild,
  aCheck,
  aCommit,
  aFinding,
  anArticle,
  anImage,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aSync,
  NOW,
} from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { isTorture, sampled } from '@vitrine/test-support';
import { HtmlValidate } from 'html-validate/node';
import { gzipSync } from 'node:zlib';
import { Api, approving } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { checkedDays, HOSTILE_PAGES, hostileWorld, PAGES } from './support/page-worlds.js';
import { PUBLIC_URL, smallWorld } from './support/small-world.js';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const context = { signal: new AbortController().signal };
const WORLD = [...smallWorld, ...checkedDays];
const open = (records: readonly StoredRecord[] = WORLD, site = DEFAULT_SITE) => Api.open({ records, site });

/** For the tests that only read. */
let ordinary: Api;

beforeAll(async () => {
  ordinary = await open();
});
afterEach(() => Api.closeAll(ordinary));
afterAll(() => Api.closeAll());

describe('pages', () => {
  it('are HTML for everyone but programs that ask for JSON or refuse HTML at the root', async () => {
    for (const accept of [undefined, '*/*', HTML.Accept, 'text/html', 'image/png,*/*', 'application/json;q=0.5, text/html']) {
      // Asked twice, because the second answer is a kept one.
      for (let turn = 0; turn < 2; turn++) {
        const { headers } = await ordinary.send('GET', '/', accept === undefined ? {} : { Accept: accept });
        expect([headers['content-type'], headers['vary']]).toEqual(['text/html; charset=utf-8', 'Accept, Accept-Encoding']);
      }
    }
    for (const accept of [
      'application/json',
      'application/json, */*;q=0.1',
      'application/*',
      'text/html;q=0',
      'text/html;q=0, */*',
      'image/png, text/html;q=0.0',
    ]) {
      const { headers, json } = await ordinary.send('GET', '/', { Accept: accept });
      expect([headers['vary'], json]).toEqual(['Accept, Accept-Encoding', expect.objectContaining({ name: 'vitrine' })]);
    }
  });

  it('are not there when the site is turned off', async () => {
    const api = await Api.open({ records: smallWorld });
    expect((await api.get('/', HTML)).json).toMatchObject({ name: 'vitrine' });
    for (const path of ['/status', '/commits', '/robots.txt', '/favicon.svg']) expect((await api.get(path, HTML)).status).toBe(404);
  });

  it('load nothing from elsewhere, and run and style nothing inside', async () => {
    for (const path of PAGES) {
      const { headers, body } = await ordinary.send('GET', path, HTML);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; /);
      expect(body.match(/ style="|<style| on\w+="|<iframe| src="https?:/g)).toBeNull();
    }
  });

  describe('with images of articles', () => {
    const image = anImage();
    const path = `/images/${image.id}`;
    const article = anArticle({
      body: `![A pixel](${PUBLIC_URL}${path}) ![other](https://elsewhere.example/a.png)\n\n## Use it\n\n[there](#use-it)`,
    });

    it('show them from their own origin, with headings that links lead to', async () => {
      const api = await open([...smallWorld, article, image]);
      const { body, headers } = await api.send('GET', `/articles/${article.id}`, HTML);
      expect(body).toContain(`<img src="${path}" alt="A pixel" loading="lazy" /> <span>other</span>`);
      expect(body).toContain('<h2 id="text-use-it">Use it</h2>\n<p><a href="#text-use-it">there</a></p>');
      expect(headers['content-security-policy']).toContain("img-src 'self';");
      const served = await api.send('GET', path, { 'Accept-Encoding': 'br' });
      expect([served.status, served.headers]).toMatchObject([
        200,
        { 'content-type': 'image/gif', 'cache-control': 'public, max-age=300, stale-while-revalidate=30', 'x-content-type-options': 'nosniff' },
      ]);
      expect(served.headers['content-security-policy']).toMatch(/^default-src 'none'/);
      expect(served.headers['content-length']).toBe(String(Buffer.from(image.data, 'base64').length));
      expect((await api.send('GET', path, { 'If-None-Match': String(served.headers['etag']) })).status).toBe(304);
    });

    it('serve them only as long as their article is visible', async () => {
      const api = await open([...smallWorld, article, image]);
      expect((await api.send('GET', path)).status).toBe(200);
      await api.store.writer.remove([article], context);
      expect((await api.send('GET', path)).status).toBe(404);
      await api.store.writer.put([article], context);
      expect((await api.send('GET', path)).status).toBe(200);
      await api.store.writer.remove([image], context);
      expect((await api.send('GET', path)).status).toBe(404);
      const html = anImage({ data: Buffer.from('<script>alert(1)</script>').toString('base64') });
      await api.store.writer.put([html], context);
      for (const other of [path, '/images/x.svg', `/images/${'a'.repeat(32)}.png`, '/images/'])
        expect((await api.send('GET', other)).status).toBe(404);
      const hidden = await open([...smallWorld, { ...article, repositoryRef: 'acme/hidden' }, { ...image, repositoryRef: 'acme/hidden' }]);
      expect((await hidden.send('GET', path)).status).toBe(404);
    });
  });

  it('are kept, compressed and revalidated as the answers of the API are', async () => {
    const api = await open();
    const first = await api.send('GET', '/commits', { 'Accept-Encoding': 'br' });
    expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=30, stale-while-revalidate=30', 'content-encoding': 'br' });
    const again = await api.send('GET', '/commits?utm_source=x&from=', { 'If-None-Match': String(first.headers['etag']) });
    expect([again.status, again.headers['age']]).toEqual([304, '0']);
    await api.store.writer.put([aCommit({ title: 'Written just now', committedAt: NOW })], context);
    expect((await api.send('GET', '/commits')).body).toContain('Written just now');
  });

  it('show the commits of each repository by week, and a commit without the name of its author with the login', async () => {
    const times = { committedAt: NOW, listedAt: NOW };
    const api = await open([...smallWorld, aCommit({ ...times, title: 'Unsigned', authorName: ' ', authorLogin: 'nameless' })]);
    const { body } = await api.send('GET', '/', HTML);
    expect(body).toMatch(/Commits per week(?:(?!<\/section>).)*class="strip weeks" role="img" aria-label="\d+ commits? [^"]*in \d+ weeks?"/s);
    expect(body).toMatch(/Unsigned(?:(?!<\/li>).)*<span dir="auto">nameless<\/span>/s);
  });

  it('name the repository of each newest version if there are several', async () => {
    const versionsOf = async (records: readonly StoredRecord[]) => {
      const api = await Api.open({ records, site: DEFAULT_SITE, approved: approving('acme/widget', 'acme/gadget') });
      return /id="versions".*?<\/section>/s.exec((await api.send('GET', '/', HTML)).body)?.[0];
    };
    const one = [aRepositoryRecord(), aRelease()];
    expect(await versionsOf(one)).not.toContain('acme/widget');
    expect(await versionsOf([...one, aRepositoryRecord({ repositoryRef: 'acme/gadget' })])).toContain('acme/widget · <time');
  });

  it('drop empty, unknown and repeated parameters, and refuse values that are not valid', async () => {
    const plain = await ordinary.send('GET', '/commits?changeType=fix');
    for (const query of ['?changeType=fix&from=&to=&utm_campaign=a%ZZ', '?fbclid=1&changeType=fix&changeType=docs', '?changeType=fix&&x'])
      expect((await ordinary.send('GET', `/commits${query}`)).body).toBe(plain.body);
    for (const query of ['?from=yesterday', '?limit=0', '?cursor=abc'])
      expect((await ordinary.send('GET', `/commits${query}`, HTML)).status).toBe(400);
  });

  it.each([
    ['/nothing', 404],
    ['/commits/0123456789012345678901234567890123456789', 404],
    ['/status/services/nobody', 404],
    ['/commits?limit=0', 400],
  ])('say for people what is wrong with %s, and for programs with a problem document', async (path, status) => {
    const page = await ordinary.send('GET', path, HTML);
    expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([status, 'text/html; charset=utf-8', 'no-store']);
    const problem = await ordinary.send('GET', path);
    expect([problem.status, problem.headers['content-type']]).toEqual([status, 'application/problem+json; charset=utf-8']);
    // A cache must know it of both.
    expect([page.headers['vary'], problem.headers['vary']]).toEqual(['Accept', 'Accept']);
    const inApi = await ordinary.send('GET', `/api/v1${path}`, HTML);
    expect([inApi.headers['content-type'], inApi.headers['vary']]).toEqual(['application/problem+json; charset=utf-8', undefined]);
  });

  it('say that requests are limited', async () => {
    const rateLimits = { requestsPerMinute: 2, searchesPerMinute: 2, loopback: true };
    const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE, rateLimits });
    const answers = [];
    for (const path of ['/commits', '/releases', '/news']) answers.push(await api.send('GET', path, HTML));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers['retry-after']).toMatch(/^\d+$/);
    expect(answers[2]?.body).toContain('Too many requests');
  });

  it.each(Object.entries({ '/commits': 'Written before', '/status': 'Widget API', '/': 'Widget API' }))(
    'serve the last good copy of %s, which says so, when the store fails',
    async (path, text) => {
      const faults = new FaultyStore();
      const records = [...smallWorld, aCommit({ title: 'Written before', committedAt: NOW })];
      const api = await Api.open({ records, site: DEFAULT_SITE, readers: faults.over });
      expect((await api.send('GET', path, HTML)).body).not.toContain('last good copy');
      faults.set('fails');
      // A list is served for 15 minutes, what is vital for a day.
      api.clock.set(NOW + (path === '/commits' ? MINUTE : HOUR));
      const last = await api.send('GET', path, HTML);
      expect([last.status, last.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(last.body.indexOf('last good copy')).toBeGreaterThan(last.body.indexOf('</h1>'));
      expect(last.body).toContain(text);
      // Evidence that has expired meanwhile is not shown as if it still counted.
      if (path !== '/commits') expect(last.body).toContain('class="state unknown"');
      expect((await api.send('GET', '/news', HTML)).status).toBe(503);
    },
  );

  it('of a list offer the values of records that its filters hide and of further pages, within the range', async () => {
    const releases = ['linux', 'macos', 'windows'].map((platform, index) =>
      aRelease({ tagName: `v${String(index)}`, platform, publishedAt: NOW - index * DAY }),
    );
    const api = await open([aRepositoryRecord(), ...releases]);
    const offered = async (query: string): Promise<readonly string[]> => {
      const [, select = ''] = /<select name="platform">(.*?)<\/select>/s.exec((await api.get(`/releases?${query}`, HTML)).body) ?? [];
      return [...select.matchAll(/<option value="(\w+)"/g)].map(([, value = '']) => value);
    };
    expect(await offered('platform=linux&limit=1')).toEqual(['linux', 'macos', 'windows']);
    expect(await offered('to=2026-11-19T13:59:00Z')).toEqual(['windows']);
    expect(await offered('repository=acme/gadget')).toEqual([]);
  });

  it('compare a release with the one before of its repository, for the same platform if there is one, in the list and on its page', async () => {
    const ofPlatforms = ['linux', 'macos', 'linux', null, 'windows'].map((platform, index) =>
      aRelease({ tagName: `v${String(index)}`, name: '', platform, releaseType: index === 3 ? 'beta' : 'stable', publishedAt: NOW - index * DAY }),
    );
    const other = aRelease({ tagName: 'v9', repositoryRef: 'acme/gadget', publishedAt: NOW - DAY / 2 });
    const api = await open([aRepositoryRecord(), ...ofPlatforms, other]);
    const comparedIn = async (path: string): Promise<readonly (string | undefined)[]> =>
      [...(await api.get(path, HTML)).body.matchAll(/ href="[^"]*\/compare\/([^"]+)"/g)].map(([, versions]) => versions);
    const all = ['v2...v0', 'v2...v1', 'v3...v2', 'v4...v3'];
    expect(await comparedIn('/releases')).toEqual(all);
    // The release before may be on the next page, or hidden by a filter.
    expect(await comparedIn('/releases?limit=1')).toEqual(all.slice(0, 1));
    expect(await comparedIn('/releases?releaseType=stable')).toEqual(all.slice(0, 3));
    const pages = await Promise.all(ofPlatforms.map(({ tagName }) => comparedIn(`/releases/acme%2Fwidget%40${tagName}`)));
    expect(pages.flat()).toEqual(all);
  });

  it('of a commit name the first release after it', async () => {
    const releases = [1, 2].map((day) => aRelease({ tagName: `v${String(day)}`, name: '', publishedAt: NOW - 3 * DAY + day * DAY }));
    const commits = ['a', 'b'].map((digit, index) => aCommit({ sha: digit.repeat(40), committedAt: NOW - 3 * DAY + 4 * index * DAY }));
    const api = await open([aRepositoryRecord(), ...releases, ...commits]);
    const pageOf = async (digit: string): Promise<string> => (await api.get(`/commits/acme%2Fwidget%40${digit.repeat(40)}`, HTML)).body;
    expect(await pageOf('a')).toMatch(/Next release<\/dt><dd[^>]*><a href="\/releases\/acme%2Fwidget%40v1">v1</);
    expect(await pageOf('b')).not.toContain('Next release');
  });

  it('of a commit show its builds and the findings that name it', async () => {
    const at = NOW - 9 * DAY;
    const [own, other] = ['a'.repeat(40), 'b'.repeat(40)] as const;
    const evidence = { branch: 'main', additions: 1, deletions: 0, files: [] };
    const api = await open([
      ...[aRepositoryRecord(), aCommit({ sha: own, committedAt: at }), aCommit({ sha: other, committedAt: at })],
      ...Array.from({ length: 90 }, (_, index) => aBuild({ id: `other-${String(index)}`, startedAt: at + 9 * HOUR + index, commitSha: other })),
      aBuild({ id: 'own', name: 'Own build', state: 'failed', startedAt: at + 8 * HOUR, commitSha: own }),
      ...[own, other].map((commitSha, index) =>
        aFinding({ id: `f${String(index)}`, title: `Finding ${String(index)}`, detectedAt: at, evidence: { ...evidence, commitSha } }),
      ),
    ]);
    const pageOf = async (sha: string): Promise<string> => (await api.get(`/commits/acme%2Fwidget%40${sha}`, HTML)).body;
    const body = await pageOf(own);
    expect(body).toMatch(/id="builds".*Own build.*Failed.*id="findings".*Finding 0/s);
    expect(body).not.toContain('Finding 1');
    expect((await api.get(`/commits/acme%2Fwidget%40${'c'.repeat(40)}`, HTML)).status).toBe(404);
    await api.store.writer.put([aCommit({ sha: 'd'.repeat(40), committedAt: NOW })], context);
    expect(await pageOf('d'.repeat(40))).not.toMatch(/id="(?:builds|findings)"/);
  });

  it('show the services while incidents cannot be read in time', async () => {
    const faults = new FaultyStore();
    const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE, readers: faults.over, budgetMs: 20_000 });
    faults.set('hangs', 'incidents');
    const { status, body } = await api.send('GET', '/status', HTML);
    expect([status, body.includes('Widget API'), body.includes('class="strip"')]).toEqual([200, true, true]);
  });

  it('show the days of a year on the history, of the services that the filter selects, but not on further pages', async () => {
    const api = await open();
    const rows = (html: string): readonly string[] => [...html.matchAll(/<a class="name" href="([^"]*)"/g)].map(([, href = '']) => href);
    const [docs, widget] = ['/status/services/acme%3Adocs', '/status/services/acme%3Awidget-api'];
    const { body } = await api.get('/status/history', HTML);
    expect([rows(body), body.match(/ class="(?:strip|unread)/g)?.length]).toEqual([[docs, widget], 2]);
    expect(body).toContain('data-count="366"');
    expect(rows((await api.get('/status/history?service=acme:docs', HTML)).body)).toEqual([docs]);
    await api.store.writer.put([anIncident({ id: 'inc_older', startedAt: NOW - 40 * DAY })], context);
    const [, next = ''] = / href="(\/status\/history\?[^"]*cursor[^"]*)"/.exec((await api.get('/status/history?limit=1', HTML)).body) ?? [];
    const second = await api.get(next.replaceAll('&amp;', '&'), HTML);
    expect([second.status, rows(second.body), second.body.includes('inc_older')]).toEqual([200, [], true]);
    expect(second.body).toContain('<select name="service">');
  });

  it('count a day as one without incidents only if none lasts on it, also none that another page shows', async () => {
    const over = (id: string, started: number, ended: number) =>
      anIncident({ id, state: 'resolved', startedAt: NOW - started * DAY, resolvedAt: NOW - ended * DAY });
    const short = Array.from({ length: 6 }, (_, index) => over(`short-${String(index)}`, 3 * index + 3, 3 * index + 2.99));
    const pages = ['/', '/status', '/status/history', '/status/history?limit=3'];
    const service = aService({ key: 'acme:web' });
    const check = aCheck({ serviceKey: 'acme:web', checkedAt: NOW });
    const claims = async (records: readonly StoredRecord[]) => {
      const api = await open([service, check, ...records]);
      return Promise.all(pages.map(async (path) => (await api.get(path, HTML)).body.includes('2 days without incidents')));
    };
    expect(await claims(short)).toEqual([true, true, true, true]);
    expect(await claims([...short, over('long', 40, 1)])).toEqual([false, false, false, false]);
    const many = Array.from({ length: 101 }, (_, index) => over(`old-${String(index)}`, index + 40, index + 39.99));
    expect((await claims([...short, ...many]))[3]).toBe(false);
  });

  it('sort the services that the history can be filtered by as people do in the language of the site', async () => {
    const names = ['Dienst 10', 'Zoll', 'Dienst 2', 'Ämter', 'Dienst 1'];
    const services = names.map((displayName, index) => aService({ key: `acme:${String(index)}`, displayName }));
    const api = await open(services, { ...DEFAULT_SITE, language: 'de' });
    const [, select = ''] = /<select name="service">(.*?)<\/select>/s.exec((await api.get('/status/history', HTML)).body) ?? [];
    const labels = [...select.matchAll(/<option value="acme[^>]*>(.*?)</g)].map(([, label]) => label);
    expect(labels).toEqual(['Ämter', 'Dienst 1', 'Dienst 2', 'Dienst 10', 'Zoll']);
  });

  it('show the incidents of the history while the days cannot be read, and say so', async () => {
    const faults = new FaultyStore();
    const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE, readers: faults.over });
    faults.set('fails', 'checks');
    const { status, body } = await api.get('/status/history', HTML);
    expect([status, body.includes('inc_2026-11-20-errors'), body.includes('Could not be read')]).toEqual([200, true, true]);
  });

  it('show excerpts of Markdown without its marks', async () => {
    const api = await open([aRelease({ name: 'Widget', body: '## Fixed\n\n- the **widget** of `acme`\n\n<!-- hidden -->' })]);
    const { body } = await api.get('/search?q=widget&type=release', HTML);
    expect(body.replace(/<\/?mark>/g, '')).toContain('Fixed · the widget of acme</p>');
  });

  it('name their JSON, their canonical address and nothing that does not answer', async () => {
    const seen = new Set<string>();
    const queue = ['/'];
    const visits = new Map<string, number>();
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (seen.has(path)) continue;
      seen.add(path);
      // A normal run visits one address of each kind.
      const kind = path.replace(/(?<=^(?:\/api\/v1)?\/\w+\/(?:\w+\/)?)[^/?]+/u, '*').replaceAll(/=[^&]*/gu, '');
      visits.set(kind, (visits.get(kind) ?? 0) + 1);
      if (!isTorture && (visits.get(kind) ?? 0) > 1) continue;
      const { status, headers, body } = await ordinary.send('GET', path, HTML);
      expect([path, status]).toEqual([path, 200]);
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      const links = [...body.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
      queue.push(...links);
    }
    expect([...seen].filter((path) => path.startsWith('/api/v1/')).length).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThan(50);
  });

  it('have the addresses of the API without its prefix', async () => {
    const hrefs = new Set<string>();
    for (const list of [
      'development/commits',
      'development/releases',
      'development/findings',
      'missions',
      'news',
      'articles',
      'videos',
      'repositories',
    ])
      for (const [, href = ''] of (await ordinary.get(`/api/v1/${list}`)).body.matchAll(/"href":"([^"]+)"/g)) hrefs.add(href);
    expect(hrefs.size).toBeGreaterThan(7);
    for (const href of hrefs) expect((await ordinary.send('GET', href.replace(/^\/api\/v1(\/development)?/, ''), HTML)).status).toBe(200);
  });

  it('show the checked address of a service, unless the page itself is published instead of it', async () => {
    const healthUrl = `${PUBLIC_URL}/status/services/acme%3Adb`;
    const api = await open([aService({ key: 'acme:web' }), aService({ key: 'acme:db', healthUrl })]);
    expect((await api.get('/status/services/acme%3Aweb', HTML)).body).toContain('Checked address');
    const { status, body } = await api.get('/status/services/acme%3Adb', HTML);
    expect([status, body.includes('Checked address')]).toEqual([200, false]);
  });

  it('show the original of a record, unless the page itself is the original', async () => {
    const api = await open([
      anArticle({ id: 'theirs' }),
      anArticle({ id: 'ours', repositoryRef: NO_REPOSITORY, url: `${PUBLIC_URL}/articles/ours` }),
    ]);
    expect((await api.get('/articles/theirs', HTML)).body).toContain('View on git.example');
    const { status, body } = await api.get('/articles/ours', HTML);
    expect([status, body.includes('View on')]).toEqual([200, false]);
  });

  it('name the repository or the service of a source once', async () => {
    const api = await open([aSync({ label: 'acme/widget' })]);
    const { body } = await api.get('/about', HTML);
    const [row = ''] = /<th scope="row".*?<\/th>/s.exec(body) ?? [];
    expect(row.replaceAll(/<[^>]*>/g, '').trim()).toBe('acme/widget');
  });

  it('say without alarm that a part has no source', async () => {
    const { body } = await (await open([])).get('/missions', HTML);
    expect(body).toContain('Some of this page has no source');
    expect(body).not.toContain('class="notice"');
  });

  it('say in the heading that an incident is open although all checks pass, unless it is one of a provider', async () => {
    const check = aCheck({ checkedAt: NOW - MINUTE, state: 'operational' });
    const provider = aService({ key: 'provider:api', displayName: 'Provider', dependency: true });
    const incident = (id: string, serviceKey: string, more: Parameters<typeof anIncident>[0] = {}) =>
      anIncident({ id, state: 'identified', resolvedAt: null, services: [{ key: serviceKey, displayName: 'It', impacts: [] }], ...more });
    const { serviceKey: key } = check;
    const headingOf = async (...incidents: readonly StoredRecord[]) => {
      const { body } = await (await open([aService({ key }), provider, check, ...incidents])).send('GET', '/status');
      return /<h1[^>]*>([^<]*)</u.exec(body)?.[1];
    };
    expect(await headingOf()).toBe('All services are operational');
    expect(await headingOf(incident('a', key))).toBe('All checks pass, but 1 incident is open');
    expect(await headingOf(incident('a', key), incident('b', key))).toBe('All checks pass, but 2 incidents are open');
    expect(await headingOf(incident('a', provider.key), incident('b', key, { incidentKind: 'maintenance', state: 'in_progress' }))).toBe(
      'All services are operational',
    );
  });

  describe('of a team', () => {
    const placesIn = (html: string): readonly string[] => {
      const [, nav = ''] = /<nav class="nav".*?<ul>(.*?)<\/ul>/s.exec(html) ?? [];
      return [...nav.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    };
    const checked = [aService({ key: 'acme:web' }), aCheck({ serviceKey: 'acme:web', checkedAt: NOW })];
    const commits = [aRepositoryRecord(), aCommit()];

    it('that shows its services only mention nothing else', async () => {
      const api = await open(checked);
      const { body } = await api.get('/', HTML);
      expect(placesIn(body)).toEqual(['/status']);
      expect(body).toContain('Past incidents');
      expect(body).not.toMatch(/What is new|role="search"|\/feeds\/commits/);
      expect((await api.send('GET', '/lost', HTML)).body).not.toMatch(/role="search"|"\/commits/);
      const found = await api.get('/search?q=nothing', HTML);
      expect([...found.body.matchAll(/<option value="([^"]+)"/g)].map(([, type]) => type)).toEqual(['incident', 'status-service']);
      expect(found.body).not.toContain('"/commits');
      expect((await api.get('/sitemap.xml')).body).not.toContain('/commits');
    });

    it('that has more open incidents than the page lists show those that are over', async () => {
      const unresolved = Array.from({ length: 7 }, (_, index) =>
        anIncident({ id: `open-${String(index)}`, state: 'investigating', startedAt: NOW - index * HOUR, resolvedAt: null }),
      );
      const found = { incidentKind: 'detected', state: 'resolved', resolvedAt: NOW - 8 * HOUR } as const;
      const covered = anIncident({ id: 'covered', title: 'Covered', startedAt: NOW - 9 * HOUR, ...found });
      const over = anIncident({ id: 'over', title: 'It is over', startedAt: NOW - 10 * HOUR, ...found });
      const api = await open([...checked, ...unresolved, covered, over, anIncident({ ...unresolved[0], covers: ['covered'] })]);
      for (const path of ['/', '/status']) {
        const [, past = ''] = /<section[^>]*id="past"(.*?)<\/section>/s.exec((await api.get(path, HTML)).body) ?? [];
        expect([path, past.includes('It is over'), past.includes('Covered')]).toEqual([path, true, false]);
      }
    });

    it('that shows its development only mention no status', async () => {
      const api = await open(commits);
      const { body } = await api.get('/', HTML);
      expect(placesIn(body)).toEqual(['/commits', '/repositories']);
      const [lead = ''] = /<div class="lead">.*?<\/div>/s.exec(body) ?? [];
      expect(lead).toBe('<div class="lead"><h1 id="h1" dir="auto">Vitrine</h1></div>');
      expect(body).not.toMatch(/"\/status|\/feeds\/incidents|Not checked/);
      expect((await api.get('/sitemap.xml')).body).not.toContain('example/status<');
    });

    it('with many services show some of them, those in trouble first, and link to the others of each group', async () => {
      const services = Array.from({ length: 14 }, (_, index) =>
        aService({ key: `acme:${String(index).padStart(2, '0')}`, displayName: `Service ${String(index)}`, group: index < 12 ? 'First' : 'Last' }),
      );
      const checks = services.map(({ key }, index) => aCheck({ serviceKey: key, checkedAt: NOW, state: index === 13 ? 'outage' : 'operational' }));
      const api = await open([...services, ...checks]);
      const { body } = await api.get('/', HTML);
      const groups = [...body.matchAll(/<details class="group panel".*?<\/details>/gs)].map(([group]) => [
        [...group.matchAll(/<a class="name"[^>]*>(.*?)<\/a>/g)].length,
        ...(/<a href="\/status#(.*?)">(.*?)<\/a>/.exec(group)?.slice(1) ?? []),
      ]);
      expect(groups).toEqual([
        [11, 'group-1', 'All 12 services'],
        [1, 'group-2', 'All 2 services'],
      ]);
      const { body: status } = await api.get('/status', HTML);
      expect(status).toMatch(/<details [^>]*id="group-1"[^>]*>.*?First.*<details [^>]*id="group-2"[^>]*>.*?Last/s);
    });

    it('do not call a service never checked of which the checks have found nothing out', async () => {
      const api = await open([aService({ key: 'acme:web' }), aCheck({ serviceKey: 'acme:web', state: 'unknown', checkedAt: NOW })]);
      for (const path of ['/', '/status', '/status/services/acme%3Aweb']) {
        const { body } = await api.get(path, HTML);
        expect([path, /class="strip"[^>]*data-days="(.*?)"/.exec(body)?.[1], body.includes('Never checked')]).toEqual([
          path,
          '90\tNot checked',
          false,
        ]);
      }
    });

    it('mention a place with its first record, or with a source for it', async () => {
      const api = await open([...commits, aSync({ id: 'feed:blog', feeds: ['news'], repositoryRef: NO_REPOSITORY })]);
      expect(placesIn((await api.get('/commits', HTML)).body)).toEqual(['/commits', '/repositories', '/news']);
      await api.store.writer.put([anArticle()], context);
      expect(placesIn((await api.get('/repositories', HTML)).body)).toEqual(['/commits', '/repositories', '/news', '/articles']);
    });
  });

  it.each(['checks', 'news', 'syncs'] as const)('mention a place again when %s can be read again, without a write', async (name) => {
    const faulty = new FaultyStore();
    const records = [
      ...smallWorld.filter(({ kind }) => kind !== 'video' && kind !== 'sync'),
      aSync({ id: 'video:own', feeds: ['video'], repositoryRef: NO_REPOSITORY }),
    ];
    const api = await Api.open({ records, site: DEFAULT_SITE, readers: faulty.over, cacheAnswers: false });
    const isWhole = async (): Promise<boolean> => {
      const { body } = await api.get('/commits', HTML);
      return ['/status', '/news', '/videos'].every((place) => body.includes(` href="${place}"`));
    };
    faulty.set('fails', name);
    expect(await isWhole()).toBe(false);
    faulty.set('none');
    expect(await isWhole()).toBe(true);
  });

  it('colour the icon by the overall state', async () => {
    const api = await open();
    const icon = await api.get('/favicon.svg');
    // Browsers ask for it where no page names an icon.
    const other = await api.get('/favicon.ico');
    expect([other.status, other.headers['content-type'], other.body]).toEqual([200, icon.headers['content-type'], icon.body]);
    await api.store.writer.put([aCheck({ state: 'outage', checkedAt: NOW })], context);
    expect((await api.get('/favicon.svg')).body).not.toBe(icon.body);
  });

  it('prefix their addresses with the base path of an embedding server, and speak the language of the site', async () => {
    const api = await open(undefined, { ...DEFAULT_SITE, title: 'Acme', language: 'de', timeZone: 'Europe/Berlin', accent: '#a01020' });
    const { body } = await api.get('/', HTML);
    expect(body).toContain('<html lang="de">');
    expect(body).toContain('<title>Acme</title>');
    expect(body).toMatch(/MEZ/);
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(body) ?? [];
    expect((await api.get(style)).body).toContain('--brand-light:#a01020');
  });

  it('name their time zone once, and in the titles of times', async () => {
    const api = await open(undefined, { ...DEFAULT_SITE, timeZone: 'Europe/Berlin' });
    for (const path of ['/', '/status', '/status/incidents/inc_2026-11-20-errors', '/commits', '/about']) {
      const { body } = await api.get(path, HTML);
      const text = body.replaceAll(/<[^>]*>/g, ' ');
      expect([path, text.match(/Berlin/g)?.length, /\bCET\b|GMT|\d\d:\d\d UTC/.test(text)]).toEqual([path, 1, false]);
      expect(body).toMatch(/ title="[^"]*\d\d:\d\d CET"/);
    }
  });

  it.each<readonly [name: string, state: Incident['state'], more: Partial<Incident>, hero: string]>([
    ['that lasts has the colour of its impact', 'monitoring', { resolvedAt: null }, 'outage'],
    ['that is over has a calm head, which says its impact', 'resolved', {}, 'operational'],
    ['with a review, too', 'postmortem', {}, 'operational'],
    ['that was planned, too', 'completed', { incidentKind: 'maintenance', impact: 'maintenance' }, 'operational'],
  ])('of an incident %s', async (_name, state, more, hero) => {
    const api = await open([anIncident({ id: 'inc', state, impact: 'major', startedAt: NOW - HOUR, resolvedAt: NOW, ...more })]);
    const [head = ''] = /<section class="hero.*?<\/section>/s.exec((await api.get('/status/incidents/inc', HTML)).body) ?? [];
    expect(head).toContain(`<section class="hero ${hero}"`);
    expect(head.includes('>Major<')).toBe(more.impact === undefined);
  });

  it('of an incident that is over call none of its services affected any more', async () => {
    const services = [{ key: 'acme:a', displayName: 'A', impacts: [{ state: 'outage', startAt: NOW - HOUR, endAt: null }] }] as const;
    const affectedIn = async (more: Partial<Incident>): Promise<boolean> => {
      const api = await open([anIncident({ id: 'inc', services, startedAt: NOW - HOUR, ...more })]);
      const [affected = ''] = / id="affected".*?<\/section>/s.exec((await api.get('/status/incidents/inc', HTML)).body) ?? [];
      return affected.includes('ongoing');
    };
    expect([await affectedIn({ state: 'monitoring', resolvedAt: null }), await affectedIn({ state: 'resolved', resolvedAt: NOW })]).toEqual([
      true,
      false,
    ]);
  });

  it('of a declared incident name the outages that it covers, and the reverse', async () => {
    const outage = anIncident({ id: 'detected:a', title: 'Outage of A', incidentKind: 'detected' });
    const api = await open([outage, anIncident({ id: 'inc_a', title: 'Broken disk', covers: ['detected:a', 'detected:gone'] })]);
    const relatedOf = async (id: string): Promise<readonly string[]> => {
      const [, related = ''] = / id="related".*?<ul class="list">(.*?)<\/ul>/s.exec((await api.get(`/status/incidents/${id}`, HTML)).body) ?? [];
      return [...related.matchAll(/ dir="auto">([^<]*)</g)].map(([, title = '']) => title);
    };
    expect([await relatedOf('inc_a'), await relatedOf('detected:a')]).toEqual([['Outage of A'], ['Broken disk']]);
  });

  it('of an incident lead past outages that a declared one covers, as the history leaves them out', async () => {
    const incident = (id: string, hours: number, more: Parameters<typeof anIncident>[0] = {}) =>
      anIncident({ id, title: id, startedAt: NOW - hours * HOUR, ...more });
    const outage = (id: string, hours: number) => incident(id, hours, { incidentKind: 'detected' });
    const api = await open([
      ...[incident('oldest', 9), outage('covered-1', 8), outage('covered-2', 7), outage('alone', 6)],
      ...[outage('covered-3', 5), incident('newest', 4, { covers: ['covered-1', 'covered-2', 'covered-3'] })],
    ]);
    const besideOf = async (id: string): Promise<readonly (string | undefined)[]> =>
      [...(await api.get(`/status/incidents/${id}`, HTML)).body.matchAll(/rel="(?:prev|next)"><small>.*?<\/small><span dir="auto">(.*?)</g)].map(
        ([, title]) => title,
      );
    expect(await Promise.all(['oldest', 'alone', 'newest', 'covered-2'].map(besideOf))).toEqual([
      ['alone'],
      ['oldest', 'newest'],
      ['alone'],
      ['oldest', 'alone'],
    ]);
  });

  it('show the text of incidents and maintenance as Markdown', async () => {
    const updates = [{ id: '1', state: 'scheduled' as const, body: 'A **new** disk, see `a_b`.\n\n<script>alert(1)</script>', createdAt: NOW }];
    const planned = { incidentKind: 'maintenance' as const, state: 'scheduled' as const, scheduledFor: NOW + DAY, scheduledUntil: NOW + 2 * DAY };
    const api = await open([anIncident({ id: 'inc_md', updates }), anIncident({ id: 'planned', updates, ...planned })]);
    for (const id of ['inc_md', 'planned']) {
      const { body } = await api.get(`/status/incidents/${id}`, HTML);
      expect(body).toContain('A <strong>new</strong> disk, see <code>a_b</code>.');
      expect(body).toContain('<meta name="description" content="A new disk, see a_b.');
      expect(body).not.toContain('<script>alert');
    }
  });

  it('need at most three requests without JavaScript', async () => {
    for (const path of PAGES) {
      const { body } = await ordinary.get(path, HTML);
      const loaded = body.match(/<(?:img|iframe|video|source|object) |<link rel="(?:stylesheet|icon|preload)"/g) ?? [];
      expect([path, loaded.length]).toEqual([path, 2]);
    }
  });

  it.each([
    ['a small logo, which is in the style sheet', 3_072, 0, "img-src 'self' data:"],
    ['a large logo, with one request for it', 3_073, 1, "img-src 'self'"],
  ])('show %s', async (_name, size, images, policy) => {
    const bytes = Buffer.alloc(size, 'logo');
    const api = await Api.open({ records: smallWorld, site: { ...DEFAULT_SITE, logo: { type: 'image/png', bytes } } });
    const { body, headers } = await api.get('/', HTML);
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(body) ?? [];
    const inside = (await api.get(style)).body.includes(`url(data:image/png;base64,${bytes.toString('base64')})`);
    expect([body.match(/<img class="logo"/g)?.length ?? 0, inside]).toEqual([images, images === 0]);
    expect(String(headers['content-security-policy']).split('; ')).toContain(policy);
    expect((await api.get('/logo')).status).toBe(200);
  });

  it('are small', async () => {
    const page = await ordinary.get('/', HTML);
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(page.body) ?? [];
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page.body) ?? [];
    const sizes = await Promise.all(['/', style, script].map(async (path) => gzipSync((await ordinary.get(path, HTML)).body).length));
    expect(sizes.every((size) => size > 500)).toBe(true);
    for (const [index, most] of [25_000, 8_000, 5_000].entries()) expect(sizes[index]).toBeLessThanOrEqual(most);
  });
});

describe('the HTML of pages', () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: {
      // The style of the text, which the renderer decides.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'doctype-style': 'off',
      'no-trailing-whitespace': 'off',
      // Titles are those of records.
      'long-title': 'off',
      'no-raw-characters': 'off',
    },
  });

  it.each([
    ['of ordinary records', sampled(PAGES, 10), WORLD],
    // Ten pages for each text follow each other, so every seventh one visits other kinds of pages with each text.
    ['of hostile records', sampled(HOSTILE_PAGES, 14), hostileWorld],
  ] as const)(
    'is valid on each kind of page %s',
    async (_name, paths, records) => {
      const api = await open([...records]);
      const found: string[] = [];
      for (const path of paths) {
        const { body, status } = await api.send('GET', path, HTML);
        expect([path, status]).toEqual([path, status === 404 || status === 400 ? status : 200]);
        if (/(?![\t\n\f\r])[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(body)) found.push(`${path}: a character that no HTML may have`);
        const report = await validator.validateString(body);
        for (const { messages } of report.results)
          for (const { ruleId, message, selector } of messages) found.push(`${path}: ${ruleId}: ${message} (${selector ?? ''})`);
      }
      expect(found).toEqual([]);
    },
    60_000,
  );
});
