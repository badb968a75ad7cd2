import type { OpenStore } from '@vitrine/core/testing';
import { CANARY, Random, randomRecords, withCanary } from '@vitrine/core/testing';
import { createHash } from 'node:crypto';
import { Api, approving, type Answer, type ApiOptions } from './api.js';
import { randomTarget } from './random-request.js';
import { smallWorld } from './small-world.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const approved = approving('acme/widget', 'acme/gadget');
const PUBLIC = ['acme/widget', 'acme/gadget'] as const;
const PRIVATE = ['acme/secret', 'acme/widget#9', 'acme/aaa'] as const;
const LONG = 3_600_000;

/** A response without the parts that may differ between two responses to the same request. */
export function comparable({ status, headers, body }: Answer): unknown {
  return { status, headers: { ...headers, date: '', 'x-request-id': '' }, body: body.replace(/urn:uuid:[0-9a-f-]+/g, '') };
}

export function cursorOf({ json }: Answer): string | null {
  const meta = (json as { readonly meta?: { readonly nextCursor?: unknown } } | null)?.meta;
  return typeof meta?.nextCursor === 'string' ? meta.nextCursor : null;
}

/** The rules for records that are not approved, for every store. */
export function privacySuites(openStore?: OpenStore): void {
  const open = (records: ApiOptions['records'] = []) => Api.open({ records, approved, ...(openStore === undefined ? {} : { openStore }) });

  describe('records of repositories that are not approved', () => {
    it(
      'change no response, and none of their text is in one',
      async () => {
        const runs = torture ? 50 : 1;
        const pairs = torture ? 400 : 100;
        for (let run = 0; run < runs; run++) {
          const random = new Random(1_000 + run);
          const shown = [...smallWorld, ...randomRecords(random, PUBLIC, 0)];
          const hidden = randomRecords(random, PRIVATE, 1_000).map(withCanary);
          const [alone, both] = [await open(shown), await open([...hidden.slice(0, 30), ...shown, ...hidden.slice(30)])];
          const cursors: string[] = [];
          for (let pair = 0; pair < pairs; pair++) {
            const target = randomTarget(random, cursors);
            const [expected, actual] = [await alone.send('GET', target), await both.send('GET', target)];
            if (JSON.stringify(comparable(actual)) !== JSON.stringify(comparable(expected))) expect(actual).toEqual(expected);
            const cursor = cursorOf(actual);
            if (cursor !== null) cursors.push(cursor);
          }
          await Promise.all([alone.close(), both.close()]);
        }
      },
      LONG,
    );
  });

  describe('a crawl of all addresses', () => {
    it(
      'finds no text of a private record in bodies, headers, cursors or logs',
      async () => {
        let count = 0;
        for (let run = 0; count < (torture ? 50_000 : 250); run++) {
          const random = new Random(7_000 + run);
          const hidden = randomRecords(random, PRIVATE, 1_000, 120).map(withCanary);
          const api = await open(random.shuffled([...smallWorld, ...randomRecords(random, PUBLIC, 0, 120), ...hidden]));
          const answers = await crawl(api, startsOf(hidden));
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

/** What a response reveals about private records; empty if nothing. */
function leakOf(answer: Answer): readonly unknown[] {
  const { target, status, headers, json } = answer;
  // The address may contain text from the client. The response repeats at most 64 characters of it, and only in its own errors.
  if (target.includes(CANARY)) {
    const { code, data } = json as { readonly code?: unknown; readonly data?: readonly unknown[] };
    return (status === 404 ? code === 'NOT_FOUND' : data?.length === 0) ? [] : [answer];
  }
  const cursor = Buffer.from(cursorOf(answer) ?? '', 'base64url').toString('latin1');
  const body = status === 400 ? '' : answer.body;
  return `${body}${JSON.stringify(headers)}${cursor}`.includes(CANARY) ? [answer] : [];
}

/** Whether the purge keys of a response are exactly those of the repositories in its body. */
function namesWhatItHolds({ headers, body }: Answer): boolean {
  if (headers['cache-control'] === 'no-store') return headers['surrogate-key'] === undefined;
  const names = [...body.matchAll(/"(?:fullName|repository)":"([^"]+)"/g)].map(([, name = '']) => name.toLowerCase());
  const keys = [...new Set(names)].map((name) => createHash('sha256').update(name).digest('hex').slice(0, 8)).sort();
  return headers['surrogate-key'] === (keys.length === 0 ? undefined : keys.join(' '));
}

/** Follows every link, href and cursor from the index on. Returns all responses. */
async function crawl(api: Api, starts: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const seen = new Set<string>();
  const queue = [...starts];
  for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
    if (seen.has(target)) continue;
    seen.add(target);
    const answer = await api.send('GET', target);
    answers.push(answer);
    const paths = JSON.stringify(answer.json ?? null).match(/"\/api\/v1\/[^"]*"/g) ?? [];
    queue.push(...paths.map((path) => JSON.parse(path) as string));
    const cursor = cursorOf(answer);
    if (cursor !== null)
      queue.push(`${target.replace(/[?&]cursor=[^&]*/, '')}${target.replace(/[?&]cursor=[^&]*/, '').includes('?') ? '&' : '?'}cursor=${cursor}`);
  }
  return answers;
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
  return [
    '/',
    '/api/v1/overview',
    '/api/v1/status',
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
}
