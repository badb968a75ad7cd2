import { CurrentApproval, hiddenRepositorySync } from '@vitrine/collector';
import { type OpenStore, aSync, CANARY, NOW, Random, randomRecords, someNews, withCanary } from '@vitrine/core/testing';
import type { StoredRecord } from '@vitrine/core';
import { DEFAULT_SITE } from '@vitrine/pages';
import { sampled, until } from '@vitrine/test-support';
import { createHash } from 'node:crypto';
import { Api, approving, type Answer, type ApiOptions } from './api.js';
import { DOCUMENT_TARGETS, randomDocument } from './documents.js';
import { randomTarget } from './random-request.js';
import { smallWorld } from './small-world.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const approved = approving('acme/widget', 'acme/gadget');
const PUBLIC = ['acme/widget', 'acme/gadget'] as const;
const PRIVATE = ['acme/secret', 'acme/widget#9', 'acme/aaa'] as const;
/** Approves a repository that its forge hides. */
const hiding = new CurrentApproval(
  () => ({ approved: ['acme/widget', 'acme/gadget', 'acme/secret'].map((fullName) => ({ ...nameOf(fullName), forgeId: null })), patterns: [] }),
  () => ({ lists: new Map(), hidden: new Map([['acme/secret', { name: 'acme/secret', since: NOW, reason: 'private' }]]) }),
);
const hiddenSync = hiddenRepositorySync('acme/secret', { since: NOW, reason: 'private', at: NOW, intervalMs: 60_000 });
const LONG = 3_600_000;
const context = { signal: new AbortController().signal };

/** A response without the parts that may differ between two responses to the same request. */
export function comparable({ status, headers, body }: Answer): unknown {
  return { status, headers: { ...headers, date: '', 'x-request-id': '' }, body: body.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '') };
}

export function cursorOf({ json }: Answer): string | null {
  const meta = (json as { readonly meta?: { readonly nextCursor?: unknown } } | null)?.meta;
  return typeof meta?.nextCursor === 'string' ? meta.nextCursor : null;
}

function nameOf(fullName: string) {
  const [owner = '', name = ''] = fullName.split('/');
  return { fullName, owner, name };
}

/** The rules for records that are not approved, for every store. */
export function privacySuites(openStore?: OpenStore): void {
  const open = (records: ApiOptions['records'] = [], permission = approved) =>
    Api.open({ records, approved: permission, site: DEFAULT_SITE, ...(openStore === undefined ? {} : { openStore }) });

  describe('records of repositories that are not approved', () => {
    it(
      'change no response, computed or kept, in any form, and not its age, also while they are written',
      async () => {
        const runs = torture ? 50 : 1;
        const pairs = torture ? 400 : 12;
        let kept = 0;
        for (let run = 0; run < runs; run++) {
          const random = new Random(1_000 + run);
          const shown = [...smallWorld, ...randomRecords(random, PUBLIC, 0)];
          const hidden = randomRecords(random, PRIVATE, 1_000).map(withCanary);
          const apis = [await open(shown), await open([...hidden.slice(0, 30), ...shown, hiddenSync, ...hidden.slice(30)], hiding)] as const;
          const [alone, both] = apis;
          for (const api of apis) await followed(api);
          const [cursors, targets]: [string[], string[]] = [[], []];
          for (let pair = 0; pair < pairs; pair++) {
            const target = targets.length > 0 && random.chance(0.3) ? random.pick(targets as [string]) : newTarget(random, cursors);
            targets.push(target);
            const [first] = [await alone.send('GET', target), await both.send('GET', target)];
            for (const form of formsOf(first, random)) {
              const [expected, actual] = [await alone.send(...form), await both.send(...form)];
              if (JSON.stringify(comparable(actual)) !== JSON.stringify(comparable(expected))) expect([form, actual]).toEqual([form, expected]);
              if (actual.headers['age'] !== undefined) kept += 1;
              if (random.chance(0.3)) await both.store.writer.put(hiddenWrites(random, 2_000 + pair), context);
            }
            const cursor = cursorOf(first);
            if (cursor !== null) cursors.push(cursor);
            const step = random.int(4_000);
            for (const { clock } of apis) clock.set(clock.now() + step);
          }
          await Promise.all(apis.map((api) => api.close()));
        }
        expect(kept).toBeGreaterThan(runs * pairs);
      },
      LONG,
    );
  });

  describe('a crawl of all addresses', () => {
    it(
      'finds no text of a private record in bodies, headers, cursors or logs',
      async () => {
        const size = torture ? 120 : 2;
        let count = 0;
        for (let run = 0; count < (torture ? 50_000 : 120); run++) {
          const random = new Random(7_000 + run);
          const hidden = randomRecords(random, PRIVATE, 1_000, size).map(withCanary);
          const api = await open(random.shuffled([...smallWorld, ...randomRecords(random, PUBLIC, 0, size), ...hidden]));
          const answers = await crawl(api, sampled(startsOf(hidden), 2));
          expect(answers.flatMap(leakOf)).toEqual([]);
          expect(answers.filter((answer) => !namesWhatItHolds(answer))).toEqual([]);
          expect(api.logLines.join('')).not.toContain(CANARY);
          count += answers.length;
          await api.close();
        }
        expect(count).toBeGreaterThan(300);
      },
      LONG,
    );
  });
}

/** Resolves when the server follows the changes of its store: when it begins to, it forgets the answers that it has kept. */
async function followed(api: Api): Promise<void> {
  await api.send('GET', '/api/v1/news');
  await api.store.writer.put([someNews({ id: 'nws_followed', listedAt: NOW - 1 })], context);
  await until(async () => (await api.send('GET', '/api/v1/news')).body.includes('nws_followed'));
}

const API_PREFIX = /^\/api\/v1(?:\/development)?/;

/** An address of the API, of the page for people, or of a feed or badge. */
function newTarget(random: Random, cursors: readonly string[]): string {
  if (random.chance(0.3)) return randomDocument(random);
  const target = randomTarget(random, cursors);
  return random.chance(0.4) ? target.replace(API_PREFIX, '').replace(/^(?!\/)/, '/') : target;
}

type Form = readonly [method: string, target: string, headers: Readonly<Record<string, string>>];

/** A request as it is sent first, and again in other forms, in which the answer may have been kept. */
function formsOf({ target, headers }: Answer, random: Random): readonly Form[] {
  const etag = String(headers['etag'] ?? 'W/"none"');
  const forms: readonly Form[] = [
    ['HEAD', target, {}],
    ['GET', target, { 'Accept-Encoding': 'br, gzip' }],
    ['HEAD', target, { 'Accept-Encoding': 'gzip' }],
    ['GET', target, { 'If-None-Match': etag, 'Accept-Encoding': 'br' }],
    ['GET', target, { 'If-None-Match': `"other", ${etag.replace('W/', '')}` }],
    ['GET', target, { Accept: 'text/html,*/*;q=0.8' }],
    ['GET', target, { 'If-None-Match': '*', Range: 'bytes=0-1', 'Cache-Control': 'no-cache' }],
  ];
  return [['GET', target, {}], ...random.shuffled(forms).slice(0, 3), ['GET', target, {}]];
}

/** New and changed records of repositories that are not approved, and runs of their sources. */
function hiddenWrites(random: Random, serial: number): readonly StoredRecord[] {
  const repositoryRef = random.pick(PRIVATE);
  return [
    ...randomRecords(random, [repositoryRef], serial, 1).map(withCanary),
    aSync({ repositoryRef, id: `git:${repositoryRef}`, lastSuccessAt: NOW - serial, feeds: ['repository', 'commit', 'article', 'release'] }),
  ];
}

/** What a response reveals about private records; empty if nothing. */
function leakOf(answer: Answer): readonly unknown[] {
  const { target, status, headers } = answer;
  // The address may contain text from the client. The response may repeat it, but then it holds no record.
  if (target.includes(CANARY)) return holdsRecords(answer) ? [answer] : [];
  const cursor = Buffer.from(cursorOf(answer) ?? '', 'base64url').toString('latin1');
  const body = status === 400 ? '' : answer.body;
  return `${body}${JSON.stringify(headers)}${cursor}`.includes(CANARY) ? [answer] : [];
}

const keyOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8);

function isPage({ headers }: Answer): boolean {
  return String(headers['content-type']).startsWith('text/html');
}

/** Whether there is a record in the response: an envelope, a JSON Feed, a page, an Atom feed or a calendar. */
function holdsRecords({ status, body, json }: Answer): boolean {
  if (json === null) return /class="list"|<entry>|BEGIN:VEVENT/.test(body);
  const { code, data, items = data } = json as { readonly code?: unknown; readonly data?: readonly unknown[]; readonly items?: readonly unknown[] };
  return status === 404 ? code !== 'NOT_FOUND' : items?.length !== 0;
}

/** The repositories that a response names: by their fields in JSON, by their addresses in pages and in the site map. */
function namesIn({ headers, body }: Answer): readonly string[] {
  const isJson = String(headers['content-type']).includes('json');
  const pattern = isJson ? /"(?:fullName|repository)":"([^"]+)"/g : /\/repositories\/([\w.-]+\/[\w.-]+)(?=["<])/g;
  return [...body.matchAll(pattern)].map(([, name = '']) => name.toLowerCase());
}

/** Whether the purge keys of a response are exactly those of the repositories in its body; a feed or badge has only keys of public ones. */
function namesWhatItHolds(answer: Answer): boolean {
  const { target, headers } = answer;
  const named = headers['surrogate-key'];
  // Its examples name repositories, too.
  if (headers['cache-control'] === 'no-store' || target === '/openapi.json') return named === undefined;
  const known: readonly string[] = PUBLIC.map(keyOf);
  const keysNamed = named === undefined ? [] : String(named).split(' ');
  if (/^\/(?:feeds|badges)\//.test(target)) return keysNamed.every((key) => known.includes(key));
  const keys = [...new Set(namesIn(answer))].map(keyOf).sort();
  // The page of a record shows the titles of its neighbours, not their repositories.
  if (/^text\/html/.test(String(headers['content-type']))) {
    return keysNamed.every((key) => known.includes(key)) && keys.every((key) => keysNamed.includes(key));
  }
  return headers['surrogate-key'] === (keys.length === 0 ? undefined : keys.join(' '));
}

/** Follows every link, href and cursor from the index on. Returns all responses. */
async function crawl(api: Api, starts: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const seen = new Set<string>();
  const queue = [...starts];
  let count = 0;
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    if (seen.has(target)) continue;
    seen.add(target);
    const answer = await api.send('GET', target);
    // Computed, kept, and kept in another coding.
    answers.push(answer);
    // A normal run asks for every third address again.
    if (torture || count % 3 === 0)
      answers.push(await api.send('GET', target), await api.send('GET', target, { 'Accept-Encoding': count % 2 === 0 ? 'br' : 'gzip' }));
    count += 1;
    const paths = JSON.stringify(answer.json ?? null).match(/"\/api\/v1\/[^"]*"/g) ?? [];
    queue.push(...paths.map((path) => JSON.parse(path) as string));
    if (isPage(answer)) queue.push(...linksOf(answer.body));
    const cursor = cursorOf(answer);
    if (cursor !== null)
      queue.push(`${target.replace(/[?&]cursor=[^&]*/, '')}${target.replace(/[?&]cursor=[^&]*/, '').includes('?') ? '&' : '?'}cursor=${cursor}`);
  }
  return answers;
}

/** The addresses of this server to which a page leads. */
function linksOf(body: string): readonly string[] {
  return [...body.matchAll(/ href="(\/[^"#]*)[^"]*"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'));
}

/** Lists with and without filters, searches for words of private records, and addresses of private records. */
function startsOf(hidden: readonly { readonly kind: string }[]): readonly string[] {
  const lists = [
    'development/commits',
    'development/releases',
    'development/findings',
    'missions',
    'articles',
    'videos',
    'news',
    'repositories',
    'status/incidents',
  ];
  const filters = ['', '&repository=acme/secret', '&repository=acme/widget'];
  const paths = {
    commit: 'development/commits',
    release: 'development/releases',
    finding: 'development/findings',
    mission: 'missions',
    article: 'articles',
    video: 'videos',
  } as const;
  const api = [
    '/api/v1/overview',
    '/api/v1/status',
    ...DOCUMENT_TARGETS,
    ...lists.flatMap((list) => [
      `/api/v1/${list}?limit=7`,
      ...(/commits|releases|findings|missions|articles|videos/.test(list) ? filters.map((filter) => `/api/v1/${list}?limit=3${filter}`) : []),
    ]),
    `/api/v1/development/commits?branch=main-${CANARY}`,
    `/api/v1/development/commits?author=Ada-${CANARY}`,
    ...[CANARY, 'acme', 'widget', 'secret', 'keyset', 'ca'].map((q) => `/api/v1/search?q=${q}&limit=5`),
    ...['acme/widget', 'acme/gadget', 'acme/secret', 'acme/aaa'].flatMap((name) => [
      `/api/v1/repositories/${name}`,
      `/api/v1/repositories/${name}/hub`,
    ]),
    ...hidden.flatMap((record) => {
      const path = paths[record.kind as keyof typeof paths] as string | undefined;
      const id = 'sha' in record ? record.sha : 'id' in record ? record.id : null;
      return path === undefined || typeof id !== 'string' ? [] : [`/api/v1/${path}/${encodeURIComponent(id)}`];
    }),
  ];
  return ['/', '/about', '/sitemap.xml', '/favicon.svg', ...api, ...api.slice(1).map((target) => target.replace(API_PREFIX, ''))];
}
