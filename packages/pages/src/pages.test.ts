import fc from 'fast-check';
import {
  DAY,
  HOUR,
  MINUTE,
  NO_CHECKS,
  NO_TALLY,
  periodStatusOf,
  serviceStatusOf,
  SOURCE_TYPES,
  startOfDay,
  startOfMonth,
  type Article,
  type Check,
  type Incident,
  type PeriodStatus,
  type SearchResult,
  type Service,
  type ServiceStatus,
} from '@vitrine/core';
import { aCheck, aCommit, aMission, anArticle, anIncident, aProvenance, aRelease, aRepository, aService, aVideo, NOW } from '@vitrine/core/testing';
import type { DaysOf } from './components/services.js';
import { createPages } from './create-pages.js';
import type { ReleaseData } from './pages/development-record-pages.js';
import type { ListData } from './pages/list-pages.js';
import type { ServiceData } from './pages/service-page.js';
import { DEFAULT_SITE, type Site } from './site.js';
import { detectedTexts } from './text/detected-texts.js';
import { WorkerTextRenderer } from './text/worker-text-renderer.js';

/** One thread for all pages, which takes long to start. No pause of a busy machine reaches its limits. */
const texts = new WorkerTextRenderer({ startMs: 60_000, deadlineMs: 60_000, patienceMs: 60_000 });
const pagesOf = (site: Partial<Site> = {}) =>
  createPages({ ...DEFAULT_SITE, ...site }, { basePath: '', publicUrl: 'https://acme.example', now: () => NOW }, texts);

afterAll(() => texts.close());

const CURRENCY = { dataStatus: 'fresh', warnings: [] } as const;

const QUIET = { state: 'operational', outageMs: 0, degradedMs: 0, checks: 1, failed: 0, incidents: [] } as const;

const unchecked = (more: Partial<Service>): ServiceStatus => serviceStatusOf(aService(more), null, NOW);

describe('the status page', () => {
  const pageOf = (
    services: readonly ServiceStatus[],
    current: readonly Incident[] = [],
    past: readonly Incident[] = [],
    days: DaysOf = null,
    lasting: readonly Incident[] = [],
  ): Promise<string> =>
    pagesOf().status({
      ...CURRENCY,
      status: { overallState: 'operational', services, incidents: { current, historicalAvailable: true }, observedAt: NOW },
      days,
      past,
      lasting,
    });
  it.each([
    [60, '22 Sept'],
    [365, '21 Nov 2025'],
  ])('names the first of %d days with its year if that is another one', async (count, label) => {
    const days = Array.from({ length: count }, (_, index) => ({ day: startOfDay(NOW) - (count - 1 - index) * DAY, ...QUIET }));
    const body = await pageOf([unchecked({ key: 'a:b' })], [], [], () => days);
    expect(/class="months".*?<text[^>]*>([^<]*)/s.exec(body)?.[1]).toBe(label);
  });

  /** The days that the drawn bars of a strip stand on, by state. */
  const barsOf = (body: string): ReadonlyMap<number, ReadonlySet<string>> => {
    const bars = new Map<number, Set<string>>();
    const [strip = ''] = /class="strip".*?<\/svg>/s.exec(body) ?? [];
    for (const [, run, state = '', path = ''] of strip.matchAll(/<path class="(run )?(?!gone)(\w+)" d="([^"]*)"/g))
      for (const [, from = '', to] of path.matchAll(/M([-.\d]+) \d+(?:H([-.\d]+)|v-\d+)/g)) {
        const [first, last] = run === undefined ? [Number(from) / 10, Number(from) / 10] : [(Number(from) + 3.5) / 10, (Number(to) - 3.5) / 10];
        for (let day = first; day <= last; day++) bars.set(day, new Set([...(bars.get(day) ?? []), state]));
      }
    return bars;
  };

  it('draws one bar for each day, also where equal days are drawn at once', async () => {
    const day = fc.constantFrom('operational', 'unknown', 'outage', 'degraded', 'maintenance');
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 20 }), async (states) => {
        const days = states.map((state, index) => ({ ...QUIET, day: startOfDay(NOW) - (states.length - 1 - index) * DAY, state, outageMs: HOUR }));
        const first = states.findIndex((state) => state !== 'unknown');
        fc.pre(first >= 0);
        const bars = barsOf(await pageOf([unchecked({ key: 'a:b' })], [], [], () => days));
        expect([...bars.keys()].sort((a, b) => a - b)).toEqual(states.map((_, index) => index).slice(first));
        for (const [index, drawn] of bars) {
          const state = states[index] ?? '';
          expect([state, [...drawn]]).toEqual([state, ['operational', 'unknown'].includes(state) ? [state] : expect.arrayContaining([state])]);
        }
      }),
      { numRuns: 30 },
    );
  });

  const outline = async (services: readonly ServiceStatus[]): Promise<readonly string[]> =>
    [...(await pageOf(services)).matchAll(/<h3 dir="auto">(.*?)<\/h3>|<a class="name"[^>]*>(.*?)<\/a>|<details class="group panel" open/g)].map(
      ([, group, name]) => group ?? name ?? 'open',
    );

  it('shows groups in the order of their first services, and providers without a group last', async () => {
    const shown = await outline([
      unchecked({ key: 'a:provider', displayName: 'Mail', dependency: true }),
      unchecked({ key: 'b:own', displayName: 'Own' }),
      unchecked({ key: 'c:api', displayName: 'API', group: 'Product', order: 2 }),
      unchecked({ key: 'd:web', displayName: 'Web', group: 'Product', order: 1 }),
      unchecked({ key: 'e:cdn', displayName: 'CDN', group: 'Delivery', order: 0, dependency: true }),
    ]);
    expect(shown).toEqual([
      'open',
      'Delivery',
      'CDN',
      'open',
      'Product',
      'Web',
      'API',
      'open',
      'Our services',
      'Own',
      'open',
      'Providers we rely on',
      'Mail',
    ]);
  });

  it('shows when a current incident began in full, because the times of its steps are short', async () => {
    const startedAt = NOW - 2 * HOUR;
    const updates = [{ id: '1', state: 'identified' as const, body: '', createdAt: NOW - HOUR }];
    const found = { id: 'inc_found', incidentKind: 'detected' as const, updates: [], confirmingChecks: 2 };
    for (const more of [{ updates }, found]) {
      const html = await pageOf([], [anIncident({ state: 'investigating', startedAt, resolvedAt: null, ...more })]);
      const [focus = ''] = /<article class="focus.*?<\/article>/s.exec(html) ?? [];
      const times = [...focus.matchAll(/<time([^>]*)>(.*?)<\/time>/g)].map(([, attributes = '', text]) => [
        attributes.includes('data-relative'),
        text,
      ]);
      expect(times).toEqual([
        [false, '20 Nov 2026, 11:59'],
        [false, expect.stringMatching(/^1[12]:59$/)],
      ]);
    }
  });

  it('says why a single service is down, and since when, below the headline', async () => {
    const down = (key: string): ServiceStatus => ({
      ...unchecked({ key, displayName: key }),
      currentState: 'outage',
      stateReason: 'HTTP 503',
      stateSince: NOW - HOUR,
    });
    const leadOf = async (services: readonly ServiceStatus[]) => {
      const status = { overallState: 'outage', services, incidents: { current: [], historicalAvailable: true }, observedAt: NOW } as const;
      const body = await pagesOf().status({ ...CURRENCY, status, days: null, past: [], lasting: [] });
      return /<div class="lead">.*?<\/div>/s.exec(body)?.[0].replaceAll(/<[^>]*>/g, '');
    };
    expect(await leadOf([down('API')])).toContain('API is downHTTP 503, since 20 Nov 2026, 12:59. 0 of 1 services work normally.');
    expect(await leadOf([{ ...down('API'), stateReason: 'refused' }])).toContain('API is downno connection, since');
    expect(await leadOf([{ ...down('API'), stateReason: 'http 503', lastCheckedAt: NOW }])).toContain('API is downHTTP error 503, since 12:59.');
    // Every object has a property of this name.
    expect(await leadOf([{ ...down('API'), stateReason: 'constructor' }])).toContain('API is downconstructor, since');
    expect(await leadOf([down('API'), down('Web')])).not.toContain('HTTP 503');
    const slow: ServiceStatus = { ...down('Shop'), currentState: 'degraded', stateReason: 'slow' };
    expect(await leadOf([slow, down('API')])).toContain('0 of 2 services work normally. Affected: API, Shop.');
    expect(await leadOf([slow, down('API'), { ...slow, dependency: true, displayName: 'CDN' }])).toContain('Affected: API, Shop.');
  });

  it.each(['UTC', 'Etc/UTC', 'etc/utc', 'Etc/GMT', 'GMT', 'GMT0', 'Etc/GMT-0', 'Zulu', 'Europe/London'])(
    'names the zone of its times, %s',
    async (timeZone) => {
      const status = {
        overallState: 'unknown',
        services: [unchecked({})],
        incidents: { current: [], historicalAvailable: true },
        observedAt: NOW,
      } as const;
      const html = await pagesOf({ timeZone }).status({ ...CURRENCY, status, days: null, past: [], lasting: [] });
      const isUtc = timeZone !== 'Europe/London';
      const found = ['All times are in UTC.', 'Times are those of', 'from midnight to midnight UTC'].map((words) => html.includes(words));
      expect(found).toEqual([isUtc, !isUtc, !isUtc]);
    },
  );

  describe('counts the days on which no incident lasts', () => {
    const quietIn = (html: string): readonly string[] =>
      [...html.matchAll(/<h3>([^<]+)<\/h3><p class="soft">(.*?)<\/p>/g)].map(([, days = '', text = '']) => `${days}: ${text}`);
    const incidents = [
      anIncident({ id: 'short', state: 'resolved', startedAt: NOW - 5 * DAY, resolvedAt: NOW - 5 * DAY + HOUR }),
      anIncident({ id: 'long', state: 'resolved', startedAt: NOW - 12 * DAY, resolvedAt: NOW - 9 * DAY }),
    ];
    const open = anIncident({ id: 'open', state: 'identified', startedAt: NOW - 2 * DAY, resolvedAt: null });
    const planned = anIncident({ id: 'planned', incidentKind: 'maintenance', state: 'scheduled', startedAt: NOW + 4 * DAY, resolvedAt: null });

    it.each<[string, readonly Incident[], string]>([
      ['until now', [], '16\u2009–\u200920 Nov: 5 days without incidents'],
      ['until one that lasts', [open], '16\u2009–\u200917 Nov: 2 days without incidents'],
      ['whatever is planned', [planned], '16\u2009–\u200920 Nov: 5 days without incidents'],
    ])('%s', async (_until, current, first) => {
      const body = await pageOf([], current, incidents);
      expect(quietIn(body)).toEqual([first, '12\u2009–\u200914 Nov: 3 days without incidents']);
    });

    it('from the midnight on at which one ended', async () => {
      const ended = anIncident({ id: 'ended', state: 'resolved', startedAt: NOW - 5 * DAY, resolvedAt: Math.floor(NOW / DAY) * DAY - 3 * DAY });
      expect(quietIn(await pageOf([], [], [ended]))).toEqual(['17\u2009–\u200920 Nov: 4 days without incidents']);
    });

    it('also one that is not among the past ones shown', async () => {
      const between = anIncident({ id: 'between', state: 'resolved', startedAt: NOW - 30 * DAY, resolvedAt: NOW - 4 * DAY });
      expect(quietIn(await pageOf([], [], incidents, null, [between]))).toEqual(['17\u2009–\u200920 Nov: 4 days without incidents']);
    });

    it('in the history, where planned maintenance is apart, unless the list may lack one that lasts', async () => {
      const address = { path: '/status/history', json: '/api/v1/status/incidents', next: null, first: null };
      const history = (filters: Readonly<Record<string, string>>, more: readonly Incident[] = [], older: readonly Incident[] | null = []) =>
        pagesOf().history({ ...CURRENCY, items: [planned, ...incidents, ...more], address, filters, known: {}, sample: [], board: null, older });
      const body = await history({});
      expect(quietIn(body)).toEqual(['12\u2009–\u200914 Nov: 3 days without incidents']);
      expect(body.indexOf('/incidents/planned')).toBeLessThan(body.indexOf('id="past"'));
      for (const filter of ['state', 'from']) expect(quietIn(await history({ [filter]: '' }))).toEqual([]);
      const inOctober = anIncident({ id: 'october', state: 'resolved', startedAt: NOW - 30 * DAY, resolvedAt: NOW - 30 * DAY + HOUR });
      expect(quietIn(await history({}, [inOctober])).slice(1)).toEqual([
        '1\u2009–\u20097 Nov: 7 days without incidents',
        '22\u2009–\u200931 Oct: 10 days without incidents',
      ]);
      const ofMonthBefore = anIncident({ id: 'older', state: 'resolved', startedAt: NOW - 30 * DAY, resolvedAt: NOW - 7 * DAY });
      expect(quietIn(await history({}, [ofMonthBefore]))).toEqual(['14 Nov: 1 day without incidents']);
      expect(quietIn(await history({}, [], [ofMonthBefore]))).toEqual(['14 Nov: 1 day without incidents']);
      expect(quietIn(await history({}, [], null))).toEqual([]);
      const onNextPage = anIncident({ id: 'next-page', state: 'resolved', startedAt: NOW - 15 * DAY, resolvedAt: NOW - 15 * DAY + HOUR });
      const between = ['12\u2009–\u200914 Nov: 3 days without incidents', '6\u2009–\u20097 Nov: 2 days without incidents'];
      const withNext = await history({}, [], [onNextPage, inOctober]);
      expect(quietIn(withNext)).toEqual(between);
      expect(withNext).not.toContain('/incidents/next-page');
      expect(withNext).not.toContain('>5 Nov<');
      expect(quietIn(await history({}, [onNextPage], [{ ...onNextPage, id: 'same-day' }]))).toEqual(between);
    });
  });

  describe('in another time zone', () => {
    const found = anIncident({
      id: 'found',
      incidentKind: 'detected',
      state: 'resolved',
      startedAt: Date.parse('2026-10-31T23:31:00Z'),
      resolvedAt: Date.parse('2026-10-31T23:40:00Z'),
    });
    const older = { ...found, id: 'older', startedAt: found.startedAt - 4 * DAY, resolvedAt: found.startedAt - 4 * DAY + MINUTE };
    const headingsIn = async (timeZone: string, before = older) => {
      const address = { path: '/status/history', json: '/api/v1/status/incidents', next: null, first: null };
      const data = { items: [found, before], address, filters: {}, known: {}, sample: [], board: null, older: [] };
      const body = await pagesOf({ timeZone }).history({ ...CURRENCY, ...data });
      return [...body.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, heading = '']) => heading.replaceAll(/<[^>]*>/g, ''));
    };

    it('has incidents below the month and the day that their times show', async () => {
      expect(await headingsIn('Europe/Berlin')).toEqual(['November 2026', '1 Nov', 'October 2026', '29\u2009–\u200931 Oct', '28 Oct']);
      const [june, july] = ['2026-06-30T23:00:00Z', '2026-07-31T22:30:00Z'].map((at) => {
        const startedAt = Date.parse(at);
        return { ...older, startedAt, resolvedAt: startedAt + MINUTE };
      });
      expect(await headingsIn('UTC', june)).toEqual([
        ...['October 2026', '31 Oct', '1\u2009–\u200930 Oct'],
        ...['July 2026 – September 2026', '1 Jul\u2009–\u200930 Sept', 'June 2026', '30 Jun'],
      ]);
      expect((await headingsIn('Europe/Berlin', july)).slice(0, 6)).toEqual([
        ...['November 2026', '1 Nov', 'September 2026 – October 2026', '1 Sept\u2009–\u200931 Oct', 'August 2026', '2\u2009–\u200931 Aug'],
      ]);
      expect(await headingsIn('UTC')).toEqual(['October 2026', '31 Oct', '28\u2009–\u200930 Oct', '27 Oct']);
    });

    it('counts whole days without incidents, on the overview, too', async () => {
      const status = { overallState: 'operational', services: [], incidents: { current: [], historicalAvailable: true }, observedAt: NOW } as const;
      const data = { ...CURRENCY, status, days: null, past: [found], lasting: [] };
      const others = { activity: null, repositories: null, commits: null, hasMoreCommits: false, releases: null, findings: null, news: null };
      const view = createPages(
        { ...DEFAULT_SITE, timeZone: 'America/New_York' },
        { basePath: '', publicUrl: '', present: () => new Set(['status']), now: () => NOW },
        texts,
      );
      for (const body of [await view.status(data), await view.overview({ ...data, ...others })])
        expect(/<h3>([^<]*)<\/h3><p class="soft">(.*?)<\/p>/.exec(body)?.slice(1)).toEqual(['1\u2009–\u200920 Nov', '20 days without incidents']);
    });

    it('says that the days of bars are those of UTC', async () => {
      const service = { ...unchecked({ key: 'a:b' }), months: [] };
      const address = { path: '/status/services/a:b', json: '/api/v1/status/services/a:b' };
      const data = { service, days: [], hours: [], checks: [], incidents: [], address };
      const hint = 'Each bar is a day from midnight to midnight UTC.';
      expect(await pagesOf({ timeZone: 'Europe/Berlin' }).service({ ...CURRENCY, ...data })).toContain(hint);
      expect(await pagesOf().service({ ...CURRENCY, ...data })).not.toContain(hint);
    });
  });

  it('asks to load the page again if a part could not be read', async () => {
    const data = { items: [], filters: {}, known: {}, sample: [], board: null, older: [], dataStatus: 'partial' } as const;
    const warnings = [{ code: 'SOURCE_UNAVAILABLE', source: 'status', detail: '' }];
    const address = { path: '/status/history', json: '/api/v1/status/incidents', next: null, first: null };
    const body = await pagesOf().history({ ...data, warnings, address });
    expect(body).toContain('Could not be read at the moment: status. Please load the page again in a moment.');
    expect(await pagesOf().history({ ...data, warnings: [{ code: 'SOURCE_LATE', source: 'status', detail: '' }], address })).not.toContain(
      'load the page again',
    );
  });

  it('offers incidents by the words of their tags', async () => {
    const sample = (['investigating', 'identified', 'resolved', 'postmortem'] as const).map((state) => anIncident({ state }));
    const address = { path: '/status/history', json: '/api/v1/status/incidents', next: null, first: null };
    const body = await pagesOf().history({ ...CURRENCY, items: [], address, filters: {}, known: {}, sample, board: null, older: [] });
    const [, select = ''] = /<select name="state">(.*?)<\/select>/s.exec(body) ?? [];
    expect([...select.matchAll(/<option value="\w+">(.*?)</g)].map(([, label]) => label)).toEqual([
      'Investigating / Ongoing',
      'Identified',
      'Resolved / End not known',
      'Resolved / Postmortem',
    ]);
  });

  it('promises updates only of an incident that people have written about', async () => {
    const updates = [{ id: '1', state: 'investigating' as const, body: 'We look into it.', createdAt: NOW }];
    const buttonOf = async (more: Partial<Incident>) => {
      const current = [anIncident({ state: 'investigating', resolvedAt: null, ...more })];
      const status = { overallState: 'outage', services: [], incidents: { current, historicalAvailable: true }, observedAt: NOW } as const;
      const others = { activity: null, commits: null, hasMoreCommits: false, releases: null, findings: null, news: null };
      const body = await pagesOf().overview({ ...CURRENCY, ...others, status, days: null, repositories: null, past: [], lasting: [] });
      return /<article class="alert.*?<a class="button"[^>]*>(.*?)<\/a>/s.exec(body)?.[1];
    };
    expect(await buttonOf({ updates })).toBe('See updates');
    expect(await buttonOf({ updates: [] })).toBe('Details');
    expect(await buttonOf({ updates, incidentKind: 'detected' })).toBe('Details');
  });

  it('shows open incidents of a team without services, and no state', async () => {
    const current = [anIncident({ title: 'Letters are late', state: 'investigating', resolvedAt: null })];
    const status = { overallState: 'unknown', services: [], incidents: { current, historicalAvailable: true }, observedAt: NOW } as const;
    const others = { activity: null, commits: null, hasMoreCommits: false, releases: null, findings: null, news: null };
    const body = await pagesOf({ title: 'Acme' }).overview({ ...CURRENCY, ...others, status, days: null, repositories: null, past: [], lasting: [] });
    expect(body).toMatch(/<section class="hero".*?<h1[^>]*>Acme<\/h1>.*?<article class="alert.*?Letters are late/s);
    expect(body).not.toContain('id="services"');
  });

  it('does not say on the overview that there are no incidents if they could not be read', async () => {
    const status = { overallState: 'operational', services: [], incidents: { current: [], historicalAvailable: true }, observedAt: NOW } as const;
    const others = { activity: null, commits: null, hasMoreCommits: false, releases: null, findings: null, news: null, repositories: null };
    const pages = createPages(DEFAULT_SITE, { basePath: '', publicUrl: '', present: () => new Set(['status'] as const) }, texts);
    const bodyOf = (past: readonly Incident[] | null) => pages.overview({ ...CURRENCY, ...others, status, days: null, past, lasting: [] });
    expect(await bodyOf([])).toContain('No incidents.');
    expect(await bodyOf(null)).not.toContain('No incidents.');
  });

  it('shows the response times of a day as a line, and the newest one', async () => {
    const check = (state: Check['state'], responseTimeMs: number | null) => [aCheck({ state, responseTimeMs, checkedAt: NOW - MINUTE })];
    const recentMs = [...Array<null>(20).fill(null), 100, null, 120, 90];
    const timed = (currentState: ServiceStatus['currentState'], evidence: readonly Check[]): ServiceStatus => ({
      ...unchecked({ key: 'a:b' }),
      currentState,
      evidence,
      recentMs,
    });
    const [, line, newest] =
      /<span class="latency">.*?<path d="(.*?)".*?<\/span>(.*?)<\/b>/s.exec(await pageOf([timed('operational', check('operational', 88))])) ?? [];
    expect(
      line
        ?.split(/[ML]/)
        .filter(Boolean)
        .map((point) => Number(point.split(',')[0])),
    ).toEqual([80, 88, 92]);
    expect(newest).toBe('88 ms');
    const down = (stateReason: string) => pageOf([{ ...timed('outage', check('outage', null)), stateReason }]);
    expect(await down('timeout')).toContain('no answer</b>');
    // The service has answered.
    for (const reason of ['http 503', 'text', 'missed']) expect(await down(reason)).toContain('–</b>');
    expect(await pageOf([unchecked({ key: 'a:b' })])).not.toContain('class="latency"');
  });

  it('says in the menu of feeds where their addresses belong', async () => {
    expect(await pageOf([])).toMatch(/<ul class="feeds">(?:(?!<\/details>).)*Copy the address into a feed reader/s);
  });

  it('shows services without groups as one list', async () => {
    expect(await outline([unchecked({ key: 'a:b', displayName: 'B', order: 2 }), unchecked({ key: 'a:c', displayName: 'C', order: 1 })])).toEqual([
      'C',
      'B',
    ]);
  });
});

describe('the page of a service', () => {
  const hourly = (count: number, responseTimeMs: PeriodStatus['responseTimeMs']): readonly PeriodStatus[] =>
    Array.from({ length: count }, (_, index) => ({ ...aPeriod(NOW - index * HOUR), responseTimeMs }));
  const aPeriod = (start: number): PeriodStatus =>
    periodStatusOf(
      { start, lengthMs: HOUR, tally: { ...NO_TALLY, counts: { ...NO_CHECKS, operational: 1 } }, incidents: [] },
      { from: start, to: start + HOUR },
      start,
    );
  const pageOf = (more: Partial<ServiceData>): Promise<string> =>
    pagesOf().service({
      ...CURRENCY,
      service: { ...unchecked({ key: 'a:b' }), months: [] },
      days: [],
      hours: [],
      checks: [],
      incidents: [],
      address: { path: '/status/services/a:b', json: '/api/v1/status/services/a:b' },
      ...more,
    });

  it('names an incident of a day unless one that covers it is of the same day', async () => {
    const declared = anIncident({ id: 'inc_declared', title: 'Declared', covers: ['inc_detected'] });
    const dayOf = (daysAgo: number, incidents: readonly string[]): PeriodStatus => {
      const start = startOfDay(NOW) - daysAgo * DAY;
      const tally = { ...NO_TALLY, counts: { ...NO_CHECKS, outage: 1 } };
      return periodStatusOf({ start, lengthMs: DAY, tally, incidents }, { from: start, to: start + DAY }, NOW);
    };
    const days = [dayOf(0, ['inc_declared', 'inc_detected']), dayOf(1, ['inc_detected'])];
    const { length } = [...(await pageOf({ days, incidents: [declared] })).matchAll(/inc_detected/g)];
    const alone = [...(await pageOf({ days: days.slice(1), incidents: [declared] })).matchAll(/inc_detected/g)];
    expect([alone.length > 0, length]).toEqual([true, alone.length]);
  });

  it('gives the read-out of a day all incidents of that day', async () => {
    const incidents = ['First', 'Second'].map((title) => anIncident({ id: `inc_${title}`, title }));
    const start = startOfDay(NOW);
    const tally = { ...NO_TALLY, counts: { ...NO_CHECKS, outage: 1 } };
    const day = periodStatusOf({ start, lengthMs: DAY, tally, incidents: incidents.map(({ id }) => id) }, { from: start, to: start + DAY }, NOW);
    expect(await pageOf({ days: [day], incidents })).toContain('\t/status/incidents/inc_First\tFirst\t/status/incidents/inc_Second\tSecond"');
  });

  it('shows response times in ranges, of which one is chosen without a script', async () => {
    const times = { p50: 100, p95: 200, max: 300 };
    const body = await pageOf({ hours: hourly(168, times), days: hourly(91, times) });
    expect([...body.matchAll(/<input type="radio"[^>]*id="([^"]*)"( checked)?/g)].map(([, id, isChecked]) => [id, isChecked !== undefined])).toEqual([
      ['range-24h', true],
      ['range-7d', false],
      ['range-30d', false],
      ['range-90d', false],
    ]);
    expect([...body.matchAll(/data-p50="([^"]*)"/g)].map(([, values = '']) => values.split(',').length)).toEqual([24, 168, 30, 91]);
    expect(await pageOf({ hours: hourly(168, null), days: hourly(91, null) })).not.toContain('type="radio"');
  });

  it('names the slowest response of each range, also one that is slower than 95 % of the others', async () => {
    const slowIn = (periods: readonly PeriodStatus[], ago: number, max: number) =>
      periods.map((period, index) => (index === ago ? { ...period, responseTimeMs: { p50: 100, p95: 101, max } } : period));
    const times = { p50: 100, p95: 101, max: 102 };
    const hours = slowIn(slowIn(hourly(168, times), 3, 30_000), 30, 40_000);
    const days = slowIn(slowIn(hourly(91, times), 10, 50_000), 60, 60_000);
    const slowest = [...(await pageOf({ hours, days })).matchAll(/Slowest: ([\d,]+) ms/g)].map(([, value]) => value);
    expect(slowest).toEqual(['30,000', '40,000', '50,000', '60,000']);
  });

  it('has a scale that one spike does not flatten, and that holds the newest value', async () => {
    const topOf = async (...values: readonly number[]) => {
      const hours = values.map((value, index) => ({ ...aPeriod(NOW - index * HOUR), responseTimeMs: { p50: value, p95: value, max: value } }));
      const [, ticks = ''] = /<div class="y"[^>]*>(.*?)<\/div>/s.exec(await pageOf({ hours })) ?? [];
      return Number(/[\d,]+/.exec(ticks.replaceAll(/<[^>]*>/g, ''))?.[0].replace(',', ''));
    };
    const usual = Array<number>(22).fill(100);
    expect(await topOf(100, 9_000, ...usual)).toBeLessThan(1_000);
    expect(await topOf(1_500, 100, ...usual)).toBeGreaterThanOrEqual(1_500);
  });

  it('names the response time of a single hour in words, because one point is no line', async () => {
    const [latest] = hourly(1, { p50: 1_234, p95: 2_000, max: 3_000 });
    const body = await pageOf({ hours: latest === undefined ? [] : [{ ...latest, state: 'outage' }], days: [] });
    expect(body).toContain('<p class="soft">median: 1,234 ms</p>');
    expect(body).not.toContain('<path class="down"');
  });

  it('joins the response times of a service that is checked more seldom than once an hour, but not over long gaps and outages', async () => {
    const unchecked = { checks: NO_CHECKS, state: 'unknown', responseTimeMs: null } as const;
    // Hours ago, every second one checked: two in an outage, and a gap of six hours.
    const hours = hourly(24, { p50: 100, p95: 200, max: 300 }).map((hour, ago): PeriodStatus => {
      if (ago % 2 === 1 || (ago > 12 && ago < 18)) return { ...hour, ...unchecked };
      return ago === 4 || ago === 6 ? { ...hour, state: 'outage', responseTimeMs: null } : hour;
    });
    const [, bands = '', line = ''] = /<path class="down" d="([^"]*)".*?<path class="p50" d="([^"]*)"/s.exec(await pageOf({ hours })) ?? [];
    const lines = line.split('M').filter(Boolean);
    expect(lines.map((points) => points.split('L').length)).toEqual([3, 3, 2]);
    const edges = [...bands.matchAll(/M([\d.]+) 0H([\d.]+)V/g)].map(([, start, end]) => [Number(start), Number(end)]);
    expect(edges).toHaveLength(2);
    expect(edges[0]?.[1]).toBe(edges[1]?.[0]);
  });

  it('has the read-out say of a time without an answer what its state is', async () => {
    const states = ['operational', 'unknown', 'outage', 'maintenance', 'operational'] as const;
    const hours = hourly(5, { p50: 100, p95: 200, max: 300 }).map((hour, ago): PeriodStatus => {
      const state = states[ago] ?? 'unknown';
      return { ...hour, state, ...(state !== 'operational' && { responseTimeMs: null }), ...(state === 'unknown' && { checks: NO_CHECKS }) };
    });
    const [, medians = '', texts = ''] = /data-p50="([^"]*)".*?data-texts="([^"]*)"/s.exec(await pageOf({ hours })) ?? [];
    const words = medians.split(',').map((median) => (Number(median) < 0 ? texts.split('\t')[-Number(median)] : median));
    expect(words).toEqual(['100', 'Maintenance', 'Down', 'Not checked', '100']);
  });

  it('says since when a service is checked, unless that was before the days that it shows', async () => {
    const days = Array.from({ length: 91 }, (_, ago) => aPeriod(startOfDay(NOW) - ago * DAY)).map((day, ago): PeriodStatus =>
      ago > 20 ? { ...day, checks: NO_CHECKS, state: 'unknown' } : day,
    );
    const since = async (ago: number) =>
      (await pageOf({ days, service: { ...unchecked({ key: 'a:b' }), months: [], trackedFrom: NOW - ago * DAY } })).match(/<em>.*?<\/em>/)?.[0];
    expect([await since(20), await since(200)]).toEqual(['<em>Checked since 31 Oct</em>', undefined]);
  });

  it.each([
    ['within its days', 20, 70],
    ['before its days', 200, 0],
    ['in the future of its days, because a clock is ahead', -1, 90],
  ])('shows days of which nothing is known as such, if the first check was %s', async (_when, ago, first) => {
    const days = Array.from({ length: 91 }, (_, each) => ({
      ...aPeriod(startOfDay(NOW) - each * DAY),
      checks: NO_CHECKS,
      state: 'unknown' as const,
    }));
    const service = { ...unchecked({ key: 'a:b' }), months: [] };
    const body = await pageOf({ days, service: { ...service, trackedFrom: NOW - ago * DAY } });
    const [, told = ''] = /class="strip"[^>]*aria-label="[^"]*: \d+ days?, none with trouble[^"]*"[^>]*data-days="([^"]*)"/.exec(body) ?? [];
    expect(told.split('\n')).toEqual(Array.from({ length: 91 - first }, (_, index) => `${String(first + index)}\tNot checked`));
    expect(body).not.toContain('Never checked</span>');
    expect(await pageOf({ days, service })).toContain('Never checked</span>');
  });

  it('says of a day without checks between others that nothing is known of it', async () => {
    const days = [0, 1, 2].map((ago) => aPeriod(startOfDay(NOW) - ago * DAY));
    const body = await pageOf({ days: days.map((day, ago) => (ago === 1 ? { ...day, checks: NO_CHECKS, state: 'unknown' } : day)) });
    expect(body).toMatch(/none with trouble[^>]*data-days="1\tNot checked"/);
  });

  it('shows the uptime of whole months, of the windows that have passed, and since the start', async () => {
    const evidence = [aCheck({ checkedAt: NOW })];
    const service = {
      ...unchecked({ key: 'a:b' }),
      trackedFrom: NOW - 8 * DAY,
      evidence,
      sinceStart: { uptimePercent: 98.5, checksTracked: 1234 },
      months: [{ month: startOfMonth(NOW), uptimePercent: 97.25, checksTracked: 4, outageMs: 0 }],
    };
    const body = await pageOf({ service, days: [aPeriod(startOfDay(NOW))] });
    const figures = [...body.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<small>/g)].map(([, name, value]) => [name, value]);
    expect(figures).toEqual([
      ['24 hours', '–'],
      ['7 days', '–'],
      ['Since 12 Nov 2026', expect.stringMatching(/^98\.5\s%$/u)],
    ]);
    expect(body.match(/97\.25/g)).toHaveLength(2);
  });

  it('shows the time of the newest check with its day and time zone, and those of all as short as they can be told apart', async () => {
    const checks = [NOW, NOW - HOUR, NOW - DAY].map((checkedAt) => aCheck({ checkedAt }));
    const [, list = ''] = /<section[^>]*id="checks"(.*?)<\/section>/s.exec(await pageOf({ checks })) ?? [];
    const times = [...list.matchAll(/<time[^>]*>(.*?)<\/time>/g)].map(([, text]) => text);
    expect(times).toEqual(['20 Nov 2026, 13:59', '13:59', '12:59', '19 Nov, 13:59']);
  });

  it('shows the seconds of checks that follow each other within a minute', async () => {
    const timesOf = async (...ages: readonly number[]) => {
      const checks = ages.map((age) => aCheck({ checkedAt: NOW - age }));
      const [, list = ''] = /<tbody>(.*?)<\/tbody>/s.exec(/id="checks".*/s.exec(await pageOf({ checks }))?.[0] ?? '') ?? [];
      return [...list.matchAll(/<time[^>]*>(.*?)<\/time>/g)].map(([, text]) => text);
    };
    expect(await timesOf(10_000, 20_000, 70_000)).toEqual(['13:59:10', '13:59:00', '13:58:10']);
    expect(await timesOf(0, MINUTE, 2 * MINUTE)).toEqual(['13:59', '13:58', '13:57']);
  });

  it('says when each of its incidents began, and how long those that are over lasted', async () => {
    const over = { state: 'resolved', startedAt: NOW - 5 * DAY, resolvedAt: NOW - 5 * DAY + 2 * HOUR } as const;
    const body = await pageOf({ incidents: [anIncident(over), anIncident({ id: 'b', startedAt: NOW - HOUR, resolvedAt: null })] });
    const [, list = ''] = /id="incidents"(.*?)<\/section>/s.exec(body) ?? [];
    expect(list).toMatch(/<time[^>]*>15 Nov 2026, 13:59<\/time><span>2 h<\/span>/);
    expect(list).toMatch(/started <time[^>]*>20 Nov 2026, 12:59<\/time>/);
  });

  it('says of a state that began less than a day ago at what time it began, also of one that is good', async () => {
    const sinceOf = async (age: number, ageOfCheck = 0) => {
      const times = { stateSince: NOW - age, lastCheckedAt: NOW - ageOfCheck };
      const service = { ...unchecked({ key: 'a:b' }), months: [], currentState: 'operational', ...times } as const;
      return />(since [^<]*)</.exec(await pageOf({ service }))?.[1];
    };
    expect(await Promise.all([MINUTE, 14 * HOUR, 2 * DAY].map((age) => sinceOf(age)))).toEqual([
      'since 13:58',
      'since 19 Nov, 23:59',
      'since 18 Nov 2026',
    ]);
    expect(await sinceOf(2 * DAY, 2 * DAY)).toBe('since 18 Nov 2026');
  });

  it('says once when the last check was', async () => {
    const service = { ...unchecked({ key: 'a:b' }), months: [], lastCheckedAt: NOW - 2 * DAY, lastKnownState: 'operational' } as const;
    const leadOf = async (more: Partial<ServiceStatus>) => {
      const body = await pageOf({ service: { ...service, ...more } });
      return /<div class="lead">.*?<\/div>/s
        .exec(body)?.[0]
        .replaceAll(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ');
    };
    expect(await leadOf({})).toContain('Not checkedlast checked 18 Nov 2026, 13:59 · Last known state: Operational.');
    for (const state of ['unknown', 'operational', 'outage'] as const)
      expect((await leadOf({ currentState: state, stateSince: NOW - 3 * DAY }))?.match(/last checked/gi)).toHaveLength(1);
    expect(await leadOf({ lastCheckedAt: null, lastKnownState: null })).toContain('Never checked.');
  });

  it('shows the newest checks with their reasons', async () => {
    const body = await pageOf({
      checks: [
        aCheck({ state: 'outage', rawState: 'HTTP 503 <b>', responseTimeMs: null }),
        aCheck({ rawState: 'operational', responseTimeMs: 88 }),
        aCheck({ rawState: 'http 301' }),
      ],
    });
    expect(body).toContain('HTTP 503 &lt;b>');
    expect(body).toContain('>HTTP 301</td>');
    expect(body).toMatch(/<td [^>]*>–<\/td><td class="end">88.ms/u);
  });
});

describe('the page of a release', () => {
  const repository = aRepository();
  const release = (tagName: string, more: Parameters<typeof aRelease>[0] = {}) => ({
    repository,
    record: aRelease({ id: `acme/widget@${tagName}`, tagName, name: '', ...more }),
  });
  const pageOf = (more: Partial<ReleaseData>): Promise<string> =>
    pagesOf().release({
      ...CURRENCY,
      item: release('v2'),
      around: null,
      before: null,
      commits: null,
      address: { path: '/releases/a', json: '/api/v1/a' },
      ...more,
    });
  const linksIn = (html: string) =>
    [...html.matchAll(/<a [^>]*rel="(prev|next)"><small>(.*?)<\/small><span dir="auto">(.*?)<\/span>/g)].map((found) => found.slice(1));

  it('leads to the older and the newer one, as far as they exist', async () => {
    expect(linksIn(await pageOf({ around: { older: release('v1'), newer: release('v3') } }))).toEqual([
      ['prev', 'Older, 20 Nov 2026', 'v1'],
      ['next', 'Newer, 20 Nov 2026', 'v3'],
    ]);
    expect(linksIn(await pageOf({ around: { older: null, newer: release('v3') } }))).toEqual([['next', 'Newer, 20 Nov 2026', 'v3']]);
    expect(await pageOf({})).not.toContain('<nav class="wrap around"');
  });

  it.each([
    ['https://github.com/acme/widget/releases/tag/v2', 'https://github.com/acme/widget/compare/v1...v2'],
    ['https://git.acme.example/group/widget/-/releases/v2', 'https://git.acme.example/group/widget/-/compare/v1...v2'],
    ['https://acme.example/v2', '/commits?repository=acme%2Fwidget&amp;from='],
  ])('at %s leads to what changed since the older one', async (sourceUrl, address) => {
    const older = release('v1', { publishedAt: NOW });
    const { record: before } = older;
    const sameTime = release('v2', { sourceUrl, publishedAt: NOW });
    const item = release('v2', { sourceUrl, publishedAt: NOW + 1 });
    expect(await pageOf({ item, before })).toContain(` href="${address}`);
    // No commits lie between two moments that are the same.
    expect((await pageOf({ item: sameTime, before })).includes(` href="${address}`)).toBe(!address.startsWith('/'));
    expect(await pageOf({ item })).not.toContain(` href="${address}`);
    const list = {
      ...CURRENCY,
      filters: {},
      known: {},
      sample: [],
      address: { path: '/releases', json: '/api/v1/releases', next: null, first: null },
    };
    expect((await pagesOf().releases({ ...list, items: [item, older] })).split(` href="${address}`)).toHaveLength(2);
  });

  it.each(['constructor', 'toString', '__proto__'])('shows a type that is called %s as every type that is not known', async (releaseType) => {
    const item = release('v2', { releaseType, sourceUrl: `https://${releaseType.replaceAll('_', '')}/v2` });
    const body = await pageOf({ item });
    expect(body).toContain(`<span class="tag unknown">${releaseType}</span>`);
    expect(body).not.toContain('native code');
  });

  it('lists the commits since the older one, and says when there are more', async () => {
    const commits = { items: [{ repository, record: aCommit({ title: 'feat: <b>' }) }], next: null };
    const { record: before } = release('v1');
    const body = await pageOf({ before, commits });
    expect(body).toContain('Commits since v1');
    expect(body).toContain('feat: &lt;b>');
    expect(body).toContain('>1 commit<');
    expect(await pageOf({ before, commits: { ...commits, next: {} } })).toContain('The newest 1<');
    expect(await pageOf({ commits })).not.toContain('Commits since');
  });
});

describe('a list', () => {
  const item = { repository: aRepository(), record: aCommit({ branch: 'next', authorName: 'Ada' }) };
  const pageOf = (more: Partial<ListData<typeof item>>): Promise<string> =>
    pagesOf().commits({
      ...CURRENCY,
      items: [item],
      address: { path: '/commits', json: '/api/v1/commits', next: null, first: null },
      filters: {},
      known: {},
      sample: [item],
      ...more,
    });
  const optionsIn = (html: string, name: string) => {
    const [, select = ''] = new RegExp(`<select name="${name}">(.*?)</select>`, 's').exec(html) ?? [];
    return [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, value, selected]) =>
      selected === undefined ? value : `${String(value)}!`,
    );
  };
  const known = { repository: ['acme/gadget', 'acme/widget'].map((value) => ({ value, label: value })) };

  it('names the year of each day that is not in the present one, and so do the overview and the past incidents', async () => {
    const [now, before, leap] = ['2026-11-20T12:00:00Z', '2025-03-30T12:00:00Z', '2024-02-29T12:00:00Z'].map((time) => Date.parse(time));
    const commits = [now, before, leap].map((committedAt = 0) => ({ ...item, record: aCommit({ committedAt, sha: String(committedAt) }) }));
    const days = ['Fri 20 Nov', 'Sun, 30 Mar 2025', 'Thu, 29 Feb 2024'];
    const daysIn = (html: string) => [...html.matchAll(/<(?:h[23]|li)><time datetime="[\d-]{10}">(.*?)<\/time>/g)].map(([, day]) => day);
    expect(daysIn(await pageOf({ items: commits }))).toEqual(days);

    const others = { activity: null, repositories: null, hasMoreCommits: false, releases: null, findings: null, news: null };
    expect(daysIn(await pagesOf().overview({ ...CURRENCY, ...others, status: null, days: null, commits, past: [], lasting: [] }))).toEqual(days);

    const status = { overallState: 'operational', services: [], incidents: { current: [], historicalAvailable: true }, observedAt: NOW } as const;
    const past = [now, before].map((startedAt = 0) =>
      anIncident({ id: String(startedAt), state: 'resolved', startedAt, resolvedAt: startedAt + HOUR }),
    );
    const html = await pagesOf().status({ ...CURRENCY, status, days: null, past, lasting: [] });
    expect(daysIn(html)).toEqual(['20 Nov', '30 Mar 2025']);
    expect(html).toContain('<h3>31 Mar 2025\u2009–\u200919 Nov 2026</h3>');
  });

  it('offers the values that there are, and suggests them where any text is allowed', async () => {
    const body = await pageOf({ known });
    expect(optionsIn(body, 'repository')).toEqual(['acme/gadget', 'acme/widget']);
    expect(optionsIn(body, 'branch')).toEqual(['next']);
    expect(body).toMatch(/<datalist id="known-author"><option value="Ada">/);
    const many = Array.from({ length: 300 }, (_, index) => ({ value: String(index), label: '' }));
    expect(await pageOf({ known: { repository: many } })).toContain('<input name="repository" type="text"');
  });

  it('offers those documented values that records have, in their order, then others, in the language of the site', async () => {
    const sample = ['other', 'fix', 'translation', 'feature', null].map((changeType) => ({ ...item, record: aCommit({ changeType }) }));
    const body = await pageOf({ sample });
    expect(optionsIn(body, 'changeType')).toEqual(['feature', 'fix', 'other', 'translation']);
    expect(body).toMatch(/<option value="fix">Fix<.*<option value="translation">translation</);
    expect(await pageOf({ sample: [] })).not.toContain('name="changeType"');
  });

  it('has no filter without a value to choose, unless it is set', async () => {
    expect(await pageOf({ sample: [] })).not.toMatch(/name="(?:repository|branch)"/);
    expect(optionsIn(await pageOf({ sample: [], filters: { branch: 'gone' } }), 'branch')).toEqual(['gone!']);
  });

  it('names the languages of articles, and codes that are none as they are', async () => {
    const sample = ['en', 'de', 'not a code'].map((language) => ({ repository: null, record: anArticle({ language }) }));
    const address = { path: '/articles', json: '/api/v1/articles', next: null, first: null };
    const body = await pagesOf({ language: 'de' }).articles({ ...CURRENCY, items: [], address, filters: {}, known: {}, sample });
    expect(body).toMatch(/<option value="de">Deutsch<.*<option value="en">Englisch<.*<option value="not a code">not a code</s);
  });

  it('of videos offers their sources, which are those of their provenance', async () => {
    const video = { repository: null, record: aVideo({ provenance: { ...aProvenance(), source: 'Acme channel' } }) };
    const address = { path: '/videos', json: '/api/v1/videos', next: null, first: null };
    const body = await pagesOf().videos({ ...CURRENCY, items: [video], address, filters: {}, known: {}, sample: [video] });
    expect(optionsIn(body, 'source')).toEqual(['Acme channel']);
  });

  it('shows what is set as links without it', async () => {
    const body = await pageOf({ known, filters: { repository: 'acme/other', changeType: 'fix' } });
    expect(optionsIn(body, 'repository')).toEqual(['acme/gadget', 'acme/widget', 'acme/other!']);
    expect([...body.matchAll(/<a class="chip" href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/commits?changeType=fix',
      '/commits?repository=acme%2Fother',
    ]);
    expect(body).toContain('<a href="/commits">Clear all filters</a>');
  });
});

it('names the types of sources in the language of the site', async () => {
  const source = { id: 'probe:a:b', label: 'a:b', feeds: [], repository: null, service: 'a:b', state: 'fresh', lastAttemptAt: NOW } as const;
  const sources = SOURCE_TYPES.map((sourceType) => ({ ...source, sourceType, lastSuccessAt: NOW, intervalMs: MINUTE, observedAt: NOW }));
  const address = { path: '/about', json: '/api/v1/sources', next: null, first: null };
  const body = await pagesOf({ language: 'de' }).about({ ...CURRENCY, sources, example: null, address });
  const types = [...body.matchAll(/<\/th><td>(.*?)<\/td>/g)].map(([, type]) => type);
  expect(types).toHaveLength(SOURCE_TYPES.length);
  expect(types).toEqual(expect.arrayContaining(['Git', 'Prüfung', 'Nachrichten-Feed']));
  expect(types.filter((type) => SOURCE_TYPES.some((code) => code === type))).toEqual([]);
});

it('draws the weeks of repositories that exist, on one axis', async () => {
  const activity = (weeks: number) =>
    Array.from({ length: 7 * weeks }, (_, index) => ({ day: startOfDay(NOW) - (7 * weeks - 1 - index) * DAY, commits: 1, releases: 0 }));
  const repositories = [9, 12].map((weeks) => ({ repository: aRepository(), days: activity(weeks - 1) }));
  const others = { activity: null, commits: null, hasMoreCommits: false, releases: null, findings: null, news: null, past: null, lasting: [] };
  const body = await pagesOf().overview({ ...CURRENCY, ...others, status: null, days: null, repositories });
  expect([...body.matchAll(/data-count="(\d+)" data-first="(\d+)"/g)].map(([, count, first]) => [count, first])).toEqual([
    ['12', '3'],
    ['12', '0'],
  ]);
});

describe('an article', () => {
  const pageOf = (more: Partial<Article>, site: Partial<Site> = {}): Promise<string> =>
    pagesOf(site).article({
      ...CURRENCY,
      item: { repository: null, record: anArticle(more) },
      around: null,
      address: { path: '/articles/a', json: '/api/v1/articles/a' },
    });
  const leadOf = (html: string): string | null => /<div class="lead">.*?<p><span dir="auto">(.*?)<\/span>/s.exec(html)?.[1] ?? null;
  const summary = 'How we count: a < b & "c".';

  it.each<readonly [name: string, body: string, bodyFormat: Article['bodyFormat']]>([
    ['as it is', 'How we count: a < b & "c". And more.', 'text'],
    ['with marks and a link', '**How** we _count_: `a < b` & ["c"](https://acme.example/c).\n\nAnd more.', 'markdown'],
    ['below headings', '# Title\n\n## First\n\n![](x.png)How we count: a &lt; b &amp; "c"\\.', 'markdown'],
    ['with tags', '<h1>Title</h1><p><em>How</em> we count: a &lt; b &amp; <b>&quot;c&quot;</b>.</p><p>And more.</p>', 'html'],
  ])('shows a summary once with which its text begins %s', async (_name, body, bodyFormat) => {
    expect(leadOf(await pageOf({ title: 'Title', summary, body, bodyFormat }))).toBe(null);
    expect(leadOf(await pageOf({ title: 'Title', summary: 'How we count: a < b…', body, bodyFormat }))).toBe(null);
    expect(leadOf(await pageOf({ title: 'Title', summary: 'And more.', body, bodyFormat }))).toBe('And more.');
  });

  it('that is dated by a day has no time of day', async () => {
    const day = Date.UTC(2026, 10, 20);
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(await pageOf({ publishedAt: day }, berlin)).toMatch(/>20 Nov 2026<\/time>/);
    expect(await pageOf({ publishedAt: day }, berlin)).not.toContain('>20 Nov 2026, 01:00<');
    expect(await pageOf({ publishedAt: day + MINUTE }, berlin)).toContain('>20 Nov 2026, 01:01</time>');
    const list = { ...CURRENCY, filters: {}, known: {}, address: { path: '/articles', json: '/api/v1/articles', next: null, first: null } };
    const listOf = (publishedAt: number) =>
      pagesOf(berlin).articles({ ...list, sample: [], items: [{ repository: null, record: anArticle({ publishedAt }) }] });
    expect(await listOf(day)).not.toContain('>01:00<');
    expect(await listOf(day + MINUTE)).toContain('>01:01<');
  });

  it('without a text shows its summary or its changes, in the language of the site', async () => {
    expect(await pageOf({ summary, body: ' ', changes: [] })).toMatch(/<div class="prose"[^>]*>.*How we count/s);
    const changes = [{ type: 'fixed', text: 'The cursor' }] as const;
    const body = await pageOf({ summary, body: ' ', changes }, { language: 'de' });
    expect(leadOf(body)).toContain('How we count');
    expect(body).toContain('<strong>Behoben</strong> The cursor');
  });
});

it('a commit says nothing of a text that it does not have, and names its type in the language of the site', async () => {
  const page = (description: string) =>
    pagesOf({ language: 'de' }).commit({
      ...CURRENCY,
      item: { repository: aRepository(), record: aCommit({ description, changeType: 'fix' }) },
      ...{ around: null, release: null, builds: [], findings: [] },
      address: { path: '/commits/a', json: '/api/v1/a' },
    });
  expect(await page(' \n')).not.toContain('class="prose"');
  expect(await page('A reason.')).toContain('A reason.');
  expect(await page('')).toContain('<span class="tag">Fehlerbehebung</span>');
});

describe('the results of a search', () => {
  it('are grouped by type, the type of the best one first', async () => {
    const result = (type: SearchResult['type'], id: string): SearchResult => ({
      type,
      id,
      title: id,
      description: '',
      repository: null,
      timestamp: NOW,
      source: 'Acme',
      matchedFields: ['title'],
      provenance: aProvenance(),
      evidence: null,
    });
    const others = [result('incident', 'd'), result('video', 'e'), result('status-service', 'f'), result('repository', 'g')];
    const results = [result('release', 'a'), result('news', 'b'), result('release', 'c'), ...others];
    const body = await pagesOf().search({
      ...CURRENCY,
      query: 'acme',
      types: [],
      results,
      address: { path: '/search', json: null, next: null, first: null },
    });
    const [, found = ''] = /<div id="results">(.*?)<footer/s.exec(body) ?? [];
    expect([...found.matchAll(/<h2[^>]*>(.*?)<\/h2>|<a class="title"[^>]*>(.*?)<\/a>/g)].map(([, group, title]) => group ?? title)).toEqual([
      'Releases',
      'a',
      'c',
      'News',
      'b',
      'Incidents',
      'd',
      'Videos',
      'e',
      'Services',
      'f',
      'Repositories',
      'g',
    ]);
  });
});

describe('the page of an incident', () => {
  const phasesOf = async (...updates: readonly (readonly [Incident['state'], number])[]): Promise<readonly string[]> => {
    const item = anIncident({
      startedAt: NOW - 3 * HOUR,
      resolvedAt: NOW - HOUR,
      state: 'postmortem',
      updates: updates.map(([state, ago], index) => ({ id: String(index), state, body: '', createdAt: NOW - ago * HOUR })),
    });
    const html = await pagesOf().incident({
      ...CURRENCY,
      item,
      related: [],
      reason: null,
      served: null,
      around: null,
      address: { path: '/status/incidents/a', json: '/api/v1/a' },
    });
    const [, phases = ''] = /<div class="phases">.*?<ol>(.*?)<\/ol>/s.exec(html) ?? [];
    return [...phases.matchAll(/<b>(.*?)<\/b><span>.*?, (.*?)<\/span>/g)].map(([, state = '', length = '']) => `${state} ${length}`);
  };

  it('shows how long each state lasted, whatever the order of the updates is', async () => {
    const updates = [
      ['postmortem', 0],
      ['resolved', 1],
      ['monitoring', 1.5],
      ['identified', 2],
      ['identified', 2.5],
      ['investigating', 3],
    ] as const;
    expect(await phasesOf(...updates)).toEqual(['Investigating 30 min', 'Identified 1 h', 'Monitoring 30 min']);
    expect(await phasesOf(...[...updates].reverse())).toEqual(await phasesOf(...updates));
  });

  it('has the times of the site, with their days if one differs from that of the begin', async () => {
    const [began, later] = [Date.parse('2026-11-18T10:00:00Z'), Date.parse('2026-11-18T23:30:00Z')];
    const item = anIncident({
      startedAt: began,
      resolvedAt: later + HOUR,
      state: 'resolved',
      updates: [
        { id: '1', state: 'investigating', body: '', createdAt: began },
        { id: '2', state: 'identified', body: '', createdAt: later },
      ],
    });
    const address = { path: '/status/incidents/a', json: '/api/v1/a' };
    const html = await pagesOf({ timeZone: 'Europe/Berlin' }).incident({
      ...CURRENCY,
      item,
      related: [],
      reason: null,
      served: null,
      around: null,
      address,
    });
    const timesIn = (text = '') => [...text.matchAll(/\b(?:\d+ \w+, )?\d\d:\d\d(?=<|, )/g)].map(([time]) => time);
    expect(timesIn(/<div class="phases">.*?<\/ol>/s.exec(html)?.[0])).toEqual(['18 Nov, 11:00', '19 Nov, 00:30']);
    expect(timesIn(/<ol class="rail end">.*?<\/ol>/s.exec(html)?.[0])).toEqual(['19 Nov, 00:30', '18 Nov, 11:00']);
  });

  const [FROM, UNTIL] = ['20 Nov 2026, 14:59', '20 Nov 2026, 14:59–15:59'];
  it.each([
    ['scheduled', 'a planned end', HOUR, UNTIL],
    ['scheduled', 'no end', null, FROM],
    ['in_progress', 'a planned end', HOUR, `${FROM} – ongoing`],
    ['in_progress', 'no end', null, `${FROM} – ongoing`],
  ] as const)('shows the services of maintenance that is %s with %s, and its time, which is never relative', async (state, _end, length, shown) => {
    const scheduledFor = NOW + HOUR;
    const impacts = [{ state: 'maintenance' as const, startAt: scheduledFor, endAt: null }];
    const item = anIncident({
      incidentKind: 'maintenance',
      state,
      startedAt: scheduledFor,
      resolvedAt: null,
      scheduledFor,
      scheduledUntil: length === null ? null : scheduledFor + length,
      services: [{ key: 'acme:web', displayName: 'Web', impacts }],
    });
    const address = { path: '/status/incidents/a', json: '/api/v1/a' };
    const html = await pagesOf().incident({ ...CURRENCY, item, related: [], reason: null, served: null, around: null, address });
    const [, services = ''] = /<section[^>]*id="affected"(.*?)<\/section>/s.exec(html) ?? [];
    expect(/<span>(<time.*?)<\/span>/.exec(services)?.[1]?.replaceAll(/<[^>]*>/g, '')).toBe(shown);
    const [, lead = ''] = /<h1.*?<p>(.*?)<\/p>/s.exec(html) ?? [];
    if (state === 'scheduled') expect(lead).toMatch(new RegExp(`for <time dateTime="[^"]*" title="[^"]* UTC">${FROM}</time>$`, 'i'));
  });

  it('names the zones of the begin and the end of maintenance while clocks are put back', async () => {
    const [scheduledFor = 0, scheduledUntil = 0] = ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'].map((time) => Date.parse(time));
    const planned = {
      incidentKind: 'maintenance',
      state: 'scheduled',
      scheduledFor,
      scheduledUntil,
      startedAt: scheduledFor,
      resolvedAt: null,
    } as const;
    const address = { path: '/status/incidents/a', json: '/api/v1/a' };
    const data = { item: anIncident(planned), related: [], reason: null, served: null, around: null, address };
    const html = await pagesOf({ timeZone: 'Europe/Berlin' }).incident({ ...CURRENCY, ...data });
    const facts = /<dl class="facts".*?<\/dl>/s.exec(html)?.[0] ?? html;
    expect([...facts.matchAll(/<dd[^>]*><time[^>]*>(.*?)<\/time>/g)].map(([, text]) => text)).toEqual([
      '31 Oct 2027, 02:30 CEST',
      '31 Oct 2027, 02:30 CET',
    ]);
  });

  it('does not say that anybody investigates an outage that only checks have found, nor that all of them were there when it began', async () => {
    const updates = [{ id: '1', state: 'investigating', body: '', createdAt: NOW } as const];
    const pageOf = (more: Partial<Incident>) => {
      const item = anIncident({ incidentKind: 'detected', confirmingChecks: 12, state: 'investigating', resolvedAt: null, updates, ...more });
      const address = { path: '/status/incidents/a', json: '/api/v1/a' };
      return pagesOf().incident({ ...CURRENCY, item, related: [], reason: null, served: null, around: null, address });
    };
    const detected = await pageOf({});
    expect(detected).not.toContain('Investigating');
    expect(detected).toContain('Ongoing</span>, started');
    expect(detected).toMatch(/<b>Detected by checks<\/b>.*<b>First of 12 failed checks<\/b>/s);
    expect(await pageOf({ incidentKind: 'declared', confirmingChecks: null })).toContain('Investigating</span>, started');
  });

  it('does not say that an outage is resolved if the checks stopped during it', async () => {
    const updates = [{ id: '2', state: 'resolved', body: '', createdAt: NOW } as const];
    const times = { startedAt: NOW - 13 * MINUTE, resolvedAt: NOW, state: 'resolved', updates } as const;
    const item = anIncident({ ...times, incidentKind: 'detected', confirmingChecks: 2, endUncertain: true });
    const address = { path: '/status/incidents/a', json: '/api/v1/a' };
    const body = await pagesOf().incident({ ...CURRENCY, item, related: [], reason: null, served: null, around: null, address });
    expect(body).not.toMatch(/Resolved|class="(?:state|node|hero) operational/);
    expect(body).toContain('End not known</span>, seen for 13 min');
    expect(body).toContain('<b>End not known</b>');
    const overview = await pagesOf({ language: 'de' }).overview({
      ...CURRENCY,
      ...{
        status: null,
        days: null,
        activity: null,
        repositories: null,
        commits: null,
        hasMoreCommits: false,
        releases: null,
        findings: null,
        news: null,
      },
      past: [item],
      lasting: [],
    });
    expect(overview).toMatch(/Ende nicht bekannt<\/span><span>festgestellt für 13 Min.</);
    expect(overview).not.toContain('Behoben');
  });

  it('writes the length of a long outage in days, in the language of the site', () => {
    const updates = [{ id: '2', state: 'resolved', body: '', createdAt: NOW } as const];
    const times = { startedAt: NOW - 52 * HOUR, resolvedAt: NOW, state: 'resolved', updates } as const;
    const provenance = { ...aProvenance(), source: 'vitrine', sourceKind: 'service-interpretation' } as const;
    const item = anIncident({ ...times, incidentKind: 'detected', confirmingChecks: 2, provenance });
    const bodyIn = (language: 'en' | 'de') => detectedTexts({ language, timeZone: 'UTC' })(item).updates[0]?.body;
    expect(bodyIn('en')).toBe('The outage ended after 2 days and 4 hours. 2 checks confirmed it.');
    expect(bodyIn('de')).toBe('Der Ausfall endete nach 2 Tagen und 4 Stunden. 2 Prüfungen haben ihn bestätigt.');
  });

  it('shows no phases of a single state', async () => {
    expect(await phasesOf(['investigating', 3], ['resolved', 1])).toEqual([]);
  });
});

describe('the progress of a mission', () => {
  const progressIn = async (total: number) => {
    const record = aMission({ progress: { completed: 0, total, percent: 0 } });
    const item = { repository: null, record };
    const list = { items: [item], sample: [item], filters: {}, known: {}, address: { path: '/missions', json: null, next: null, first: null } };
    const pages = await Promise.all([
      pagesOf().missions({ ...CURRENCY, ...list }),
      pagesOf().mission({ ...CURRENCY, item, around: null, address: { path: '/missions/a', json: '/api/v1/a' } }),
    ]);
    return pages.map((html) => [html.includes('<progress'), html.includes(`0 of ${String(total)} done`)]);
  };

  it('is shown only if a number of steps is known', async () => {
    expect(await progressIn(3)).toEqual(Array(2).fill([true, true]));
    expect(await progressIn(0)).toEqual(Array(2).fill([false, false]));
  });
});
