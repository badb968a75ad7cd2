import { DAY, HOUR, startOfDay, type Instant } from '@vitrine/core';
import { aCommit, aMission, anArticle, aProvenance, aRepository, NOW } from '@vitrine/core/testing';
import { createPages } from './create-pages.js';
import { DEFAULT_SITE } from './site.js';

const pagesIn = (timeZone: string) =>
  createPages(
    { ...DEFAULT_SITE, timeZone },
    { basePath: '', publicUrl: 'https://acme.example' },
    { kept: () => '', render: () => Promise.resolve(''), close: () => Promise.resolve() },
  );

const CURRENCY = { dataStatus: 'fresh', warnings: [] } as const;
const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Niue', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Kiritimati'];
const MIDNIGHT = startOfDay(NOW);

/** The day that a moment has in a time zone, as `2026-11-20`. */
const dayIn = (timeZone: string, at: Instant): string => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);

describe.each(ZONES)('a list in the time zone %s', (timeZone) => {
  const list = { ...CURRENCY, filters: {}, known: {}, sample: [], address: { path: '/list', json: '/api/v1/list', next: null, first: null } };
  /** Each heading with the titles below it. */
  const daysIn = (html: string): readonly (readonly [day: string, titles: readonly string[]])[] =>
    [...html.matchAll(/<h2><time datetime="([^"]*)">.*?<\/section>/gs)].map(([section, day = '']) => [
      day,
      [...section.matchAll(/class="title"[^>]*>(.*?)<\/a>/g)].map(([, title = '']) => title),
    ]);
  /** Every half hour, newest first, so that some are at midnight UTC. */
  const moments = Array.from({ length: 150 }, (_, index) => MIDNIGHT + DAY - (index * HOUR) / 2);

  it('has each commit below the day of its time, also one at midnight UTC', async () => {
    const items = moments.map((at) => ({
      repository: aRepository(),
      record: aCommit({ title: dayIn(timeZone, at), sha: String(at), committedAt: at }),
    }));
    const days = daysIn(await pagesIn(timeZone).commits({ ...list, items }));
    for (const [day, titles] of days) expect(new Set(titles)).toEqual(new Set([day]));
    expect(days.map(([day]) => day)).toEqual([...new Set(items.map(({ record }) => record.title))]);
  });

  it('has each day of articles once, the newest first, with those that have no time of day below the day that was written', async () => {
    const items = moments.map((at) => {
      const title = dayIn(at % DAY === 0 ? 'UTC' : timeZone, at);
      return { repository: null, record: anArticle({ id: String(at), title, publishedAt: at }) };
    });
    const days = daysIn(await pagesIn(timeZone).articles({ ...list, items }));
    for (const [day, titles] of days) expect(new Set(titles)).toEqual(new Set([day]));
    const names = days.map(([day]) => day);
    expect(names).toEqual([...new Set(names)].sort().reverse());
  });
});

describe.each(ZONES)('a day without a time of day, in the time zone %s,', (timeZone) => {
  const day = Date.UTC(2026, 0, 1);
  const address = { path: '/a', json: '/api/v1/a' };
  const timesIn = (html: string) => [...html.matchAll(/<dd[^>]*><time([^>]*)>(.*?)<\/time>/g)].map(([, attributes, text]) => [attributes, text]);
  const WRITTEN = [' datetime="2026-01-01"', '1 Jan 2026'];

  it('is shown as it was written on the page of a mission', async () => {
    const record = aMission({ createdAt: NOW, startedAt: day, targetAt: day, completedAt: null });
    expect(timesIn(await pagesIn(timeZone).mission({ ...CURRENCY, item: { repository: null, record }, around: null, address }))).toEqual([
      WRITTEN,
      WRITTEN,
    ]);
  });

  it('is shown as it was written on the page of an article', async () => {
    const item = { repository: null, record: anArticle({ publishedAt: day, updatedAt: day }) };
    expect(timesIn(await pagesIn(timeZone).article({ ...CURRENCY, item, around: null, address }))).toEqual([WRITTEN, WRITTEN]);
  });

  it('is shown as it was written among the results of a search', async () => {
    const article = { type: 'article', id: 'a', title: 'A', description: '', repository: null, timestamp: day, source: 'Acme' } as const;
    const results = [{ ...article, matchedFields: ['title'], provenance: aProvenance(), evidence: null } as const];
    const page = { query: 'acme', types: [], results, address: { path: '/search', json: null, next: null, first: null } };
    expect(await pagesIn(timeZone).search({ ...CURRENCY, ...page })).toContain('<time datetime="2026-01-01">1 Jan 2026</time>');
  });
});
