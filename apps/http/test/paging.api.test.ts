import { SEARCH_TYPES, type StoredRecord } from '@vitrine/core';
import {
  aBuild,
  aCheck,
  aCommit,
  aFinding,
  aMission,
  anArticle,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aVideo,
  NOW,
  someNews,
} from '@vitrine/core/testing';
import { isTorture, sampled } from '@vitrine/test-support';
import { Api, approving, type Answer } from './support/api.js';

interface Body {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

const bodyOf = ({ json }: Answer): Body => json as Body;
const COUNT = 23;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const MINUTE = 60_000;
/** Two records each have the same time, so that the id decides their order. */
const time = (index: number): number => NOW - MINUTE * (10 + Math.floor(index / 2));
const sha = (index: number): string => (index + 0x1000000).toString(16).padEnd(40, '0');

const world: readonly StoredRecord[] = [
  ...numbers.map((index) => aRepositoryRecord({ repositoryRef: `acme/r${String(index).padStart(2, '0')}` })),
  aRepositoryRecord(),
  aRepositoryRecord({ repositoryRef: 'acme/secret' }),
  ...numbers.flatMap((index): StoredRecord[] => [
    aCommit({ sha: sha(index), committedAt: time(index) }),
    aCommit({ sha: sha(index), committedAt: time(index), repositoryRef: 'acme/secret', title: 'widget SECRET' }),
    aRelease({ id: `acme/widget@v1.${String(index)}`, tagName: `v1.${String(index)}`, publishedAt: time(index) }),
    aFinding({ id: `fnd_${String(index)}`, detectedAt: time(index) }),
    aMission({ id: `msn_${String(index)}`, createdAt: time(index) }),
    aBuild({ id: `bld_${String(index)}` }),
    someNews({ id: `nws_${String(index)}`, publishedAt: time(index), listedAt: time(index), title: `widget ${String(index)}` }),
    anArticle({ id: `art_${String(index)}`, publishedAt: time(index) }),
    aVideo({ id: `vid_${String(index)}`, publishedAt: time(index) }),
    anIncident({ id: `inc_${String(index)}`, startedAt: time(index) }),
    aCheck({ checkedAt: NOW - MINUTE * (index + 1) }),
  ]),
  aService(),
];

const approved = approving('acme/widget', ...numbers.map((index) => `acme/r${String(index).padStart(2, '0')}`));

describe('paging', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: world, approved });
  });

  afterAll(() => api.close());

  /** All pages up to the last, by the addresses in the header `Link`. */
  async function walk(first: string): Promise<readonly Body[]> {
    const pages: Body[] = [];
    for (let target: string | undefined = first; target !== undefined;) {
      const answer: Answer = await api.get(target);
      pages.push(bodyOf(answer));
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link']))?.[1];
      const { nextCursor, hasMore } = bodyOf(answer).meta;
      expect([answer.target, hasMore, next !== undefined]).toEqual([answer.target, nextCursor !== null, nextCursor !== null]);
      if (nextCursor !== null) expect(next).toContain(`cursor=${nextCursor}`);
      target = next;
    }
    return pages;
  }

  const LISTS = [
    ['/api/v1/development/commits', COUNT],
    ['/api/v1/development/releases', COUNT],
    ['/api/v1/development/findings', COUNT],
    ['/api/v1/missions', COUNT],
    ['/api/v1/repositories', COUNT + 1],
    ['/api/v1/news', COUNT],
    ['/api/v1/articles', COUNT],
    ['/api/v1/videos', COUNT],
    ['/api/v1/status/incidents', COUNT],
    ['/api/v1/status/services/acme%3Awidget-api/history', COUNT],
    ['/api/v1/status/services/acme%3Awidget-api/history?granularity=day', 91],
    ['/api/v1/status/services/acme%3Awidget-api/history?granularity=day&from=2026-11-01&to=2026-11-20', 20],
    ['/api/v1/development/commits?repository=ACME%2Fwidget&author=ADA&from=2026-11-20', COUNT],
  ] as const;

  it.each(LISTS)('returns pages of %s that together are the whole list', async (target, count) => {
    const whole = await walk(`${target}${target.includes('?') ? '&' : '?'}limit=100`);
    const pages = await walk(`${target}${target.includes('?') ? '&' : '?'}limit=4`);
    const items = pages.flatMap(({ data }) => data);
    expect(items).toHaveLength(count);
    expect(items).toEqual(whole.flatMap(({ data }) => data));
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(count);
    expect(pages.slice(0, -1).every(({ data }) => data.length === 4)).toBe(true);
  });

  it('returns pages of a search over every kind that are complete, with hrefs that lead to their records', async () => {
    const hits = (await walk('/api/v1/search?q=widget&limit=7')).flatMap(({ data }) => data);
    expect(new Set(hits.map(({ type }) => type))).toEqual(new Set(SEARCH_TYPES));
    expect(hits).toEqual((await walk('/api/v1/search?q=widget&limit=100')).flatMap(({ data }) => data));
    expect(JSON.stringify(hits)).not.toContain('SECRET');
    // A normal run opens one of each type.
    const opened = isTorture ? hits : [...new Map(hits.map((hit) => [hit['type'], hit])).values()];
    for (const { href, id, type } of opened) {
      const answer = await api.get(String(href));
      expect([href, answer.status]).toEqual([href, 200]);
      const { data } = answer.json as { data: Readonly<Record<string, unknown>> };
      const own = { commit: data['sha'], repository: data['fullName'], 'status-service': data['key'] }[String(type)] ?? data['id'];
      expect([href, String(id).endsWith(String(own))]).toEqual([href, true]);
    }
  });

  it('continues a list with another limit, and rejects other filters', async () => {
    const { nextCursor } = bodyOf(await api.get('/api/v1/development/commits?limit=2&branch=main')).meta;
    const cursor = String(nextCursor);
    expect((await api.get(`/api/v1/development/commits?limit=9&branch=main&cursor=${cursor}`)).status).toBe(200);
    expect((await api.get(`/api/v1/development/commits?branch=dev&cursor=${cursor}`)).json).toMatchObject({
      code: 'CURSOR_MISMATCH',
      errors: [{ parameter: 'cursor' }],
    });
    expect((await api.get(`/api/v1/development/commits?cursor=${cursor}`)).json).toMatchObject({ code: 'CURSOR_MISMATCH' });
    expect((await api.get(`/api/v1/development/releases?cursor=${cursor}`)).json).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('binds the cursor of a history to its service and granularity', async () => {
    const path = '/api/v1/status/services/acme%3Awidget-api/history';
    const cursor = String(bodyOf(await api.get(`${path}?limit=2`)).meta.nextCursor);
    expect((await api.get(`${path}?granularity=check&cursor=${cursor}`)).status).toBe(200);
    expect((await api.get(`${path}?granularity=day&cursor=${cursor}`)).json).toMatchObject({ code: 'CURSOR_MISMATCH' });
    expect((await api.get(`/api/v1/status/services/acme%3Aother/history?cursor=${cursor}`)).json).toMatchObject({ code: 'CURSOR_MISMATCH' });
  });

  it('rejects a changed cursor, with the same message for every reason', async () => {
    const cursor = String(bodyOf(await api.get('/api/v1/news?limit=2')).meta.nextCursor);
    const flipped = Array.from(
      { length: cursor.length },
      (_, index) => cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
    );
    const details = new Set<unknown>();
    for (const touched of [...sampled(flipped, 6), `${cursor}!`, `${cursor}A`, cursor.slice(1), cursor.slice(0, -1), `${cursor}=`, 'A'.repeat(513)]) {
      const answer = await api.get(`/api/v1/news?cursor=${touched}`);
      expect([touched, answer.status]).toEqual([touched, 400]);
      expect(answer.json).toMatchObject({ code: 'INVALID_CURSOR' });
      details.add((answer.json as { detail: unknown }).detail);
    }
    expect(details.size).toBe(1);
  });

  it('returns the same bytes for the same cursor', async () => {
    const { nextCursor } = bodyOf(await api.get('/api/v1/news?limit=3')).meta;
    const target = `/api/v1/news?limit=3&cursor=${String(nextCursor)}`;
    expect((await api.get(target)).body).toBe((await api.get(target)).body);
  });
});
