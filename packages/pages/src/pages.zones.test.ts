import { DAY, HOUR, MINUTE, NO_CHECKS, NO_TALLY, periodStatusOf, serviceStatusOf, startOfDay, type Instant, type PeriodStatus } from '@vitrine/core';
import { aCommit, aFinding, aMission, anArticle, aProvenance, aRelease, aRepository, aService, NOW } from '@vitrine/core/testing';
import { createPages } from './create-pages.js';
import { DEFAULT_SITE } from './site.js';

const pagesIn = (timeZone: string) =>
  createPages(
    { ...DEFAULT_SITE, timeZone },
    { basePath: '', publicUrl: 'https://acme.example', now: () => Date.UTC(2026, 10, 21) },
    { kept: () => '', render: () => Promise.resolve(''), close: () => Promise.resolve() },
  );

/** A day or an hour with response times. */
function periodOf(start: Instant, lengthMs: number, isChecked = true): PeriodStatus {
  const tally = isChecked ? { ...NO_TALLY, counts: { ...NO_CHECKS, operational: 1 } } : NO_TALLY;
  const period = periodStatusOf({ start, lengthMs, tally, incidents: [] }, { from: start, to: start + lengthMs }, start + lengthMs);
  return { ...period, responseTimeMs: isChecked ? { p50: 100, p95: 200, max: 300 } : null };
}

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

describe.each(ZONES)('a moment in the time zone %s', (timeZone) => {
  const address = { path: '/a', json: '/api/v1/a' };
  const repository = aRepository();
  const pages = pagesIn(timeZone);
  /** `20 Nov 2026` */
  const nameIn = (at: Instant, zone = timeZone): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' }).format(at);

  it.each([-9, -1, 0, 1, 9])('is written as the day that it has there, %d hours after midnight UTC', async (hours) => {
    const at = MIDNIGHT + hours * HOUR;
    const name = nameIn(at);
    const list = { ...CURRENCY, filters: {}, known: {}, sample: [], address: { ...address, next: null, first: null } };
    const release = { repository, record: aRelease({ publishedAt: at }) };
    expect(await pages.releases({ ...list, items: [release] })).toMatch(new RegExp(`<div class="side"><b><time[^>]*>${name}</time>`));

    const item = { repository, record: aCommit() };
    const around = { older: { repository, record: aCommit({ committedAt: at }) }, newer: null };
    const finding = { repository, record: aFinding({ detectedAt: at }) };
    const commit = await pages.commit({ ...CURRENCY, item, around, release: null, builds: [], findings: [finding], address });
    expect(commit).toContain(`<small>Older, ${name}</small>`);
    expect(/id="findings".*?<\/section>/s.exec(commit)?.[0]).toContain(`>${name}</time>`);

    const service = { ...serviceStatusOf(aService(), null, NOW), months: [], currentState: 'operational', stateSince: at, trackedFrom: at } as const;
    const days = Array.from({ length: 91 }, (_, ago) => periodOf(MIDNIGHT + DAY - ago * DAY, DAY, ago === 0));
    const data = { service, days, hours: [], checks: [], incidents: [], address };
    const html = await pages.service({ ...CURRENCY, ...data });
    expect(html).toContain(`<dt>Since ${name}</dt>`);
    expect(html).toContain(`>since ${name}</time>`);
    expect(html).toContain(`<em>Checked since ${name.slice(0, -5)}</em>`);
  });

  it('of a neighbour that is an article without a time of day is the day that was written', async () => {
    const articleAt = (publishedAt: Instant) => ({ repository: null, record: anArticle({ publishedAt }) });
    const around = { older: articleAt(MIDNIGHT), newer: articleAt(MIDNIGHT + HOUR) };
    const html = await pages.article({ ...CURRENCY, item: articleAt(NOW), around, address });
    expect([...html.matchAll(/<small>(?:Older|Newer), (.*?)<\/small>/g)].map(([, name]) => name)).toEqual([
      nameIn(MIDNIGHT, 'UTC'),
      nameIn(MIDNIGHT + HOUR),
    ]);
  });
});

describe.each([...ZONES, 'America/Santiago'])('the chart of response times in the time zone %s', (timeZone) => {
  // In Chile, clocks are put forward at the midnight in it.
  const end = Date.parse('2026-09-08T20:00:00Z');
  const periods = (count: number, lengthMs: number) =>
    Array.from({ length: count }, (_, ago) => periodOf(end - (end % lengthMs) - ago * lengthMs, lengthMs));
  /** Of each range, where its axis has which text. */
  const axesIn = async (hours: number, days = 91) => {
    const service = { ...serviceStatusOf(aService(), null, NOW), months: [] };
    const data = { service, days: periods(days, DAY), hours: periods(hours, HOUR), checks: [], incidents: [], address: { path: '/a', json: '/a' } };
    const html = await pagesIn(timeZone).service({ ...CURRENCY, ...data });
    return [
      ...html.matchAll(/data-count="(\d+)"[^>]*data-start="(\d+)" data-step="(\d+)" data-zone="([^"]*)".*?<svg class="x"[^>]*>(.*?)<\/svg>/gs),
    ].map(([, count, start, step, zone, texts = '']) => ({
      zone,
      step: Number(step),
      ticks: [...texts.matchAll(/x="([\d.]+)%"[^>]*>(.*?)</g)].map(([, place, text = '']) => ({
        at: Number(start) + (Number(place) / 100) * (Number(count) - 1) * Number(step),
        text,
      })),
    }));
  };

  it.each([168, 24, 5, 2])('has the local time at each place of its axis, and a day only where that begins, with %d hours', async (hours) => {
    const hourly = (await axesIn(hours)).filter(({ step }) => step === HOUR);
    expect(hourly).toHaveLength(2);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
    const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
    for (const { zone, ticks } of hourly) {
      expect(zone).toBe(timeZone);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThan(10);
      for (const { at, text } of ticks) {
        // Places have one decimal.
        const full = Math.round(at / (15 * MINUTE)) * 15 * MINUTE;
        expect(text).toBe(clock.format(full) === '00:00' ? day.format(full) : clock.format(full));
        expect(Math.abs(full - at)).toBeLessThan(10 * MINUTE);
      }
    }
  });

  it.each([91, 3])('has each UTC day once in ranges of days, with %d days', async (days) => {
    for (const { ticks } of (await axesIn(2, days)).filter(({ step }) => step === DAY)) {
      expect(ticks.length).toBeGreaterThan(0);
      const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
      expect(ticks.map(({ text }) => text)).toEqual(ticks.map(({ at }) => day.format(Math.round(at / DAY) * DAY)));
      expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
    }
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
