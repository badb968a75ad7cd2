import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, SERVICE_SEARCH_TIME, startOfDay, type Answer, type Instant, type SearchEntry } from '@vitrine/core';
import { aCheck, aCommit, aProvenance, aRepositoryRecord, aService, aSync, NOW, StandingClock } from '@vitrine/core/testing';
import { type FakeReaders, fakeReaders } from '../../test/fake-readers.js';
import { firstPage, scopedPage, useCasesOver, widgetOnly } from '../../test/fake-use-cases.js';

const KEY = aService().key;
/** Late from minute 10 on. The checks of the first source end at minute 15, and those of the second one at minute 20. */
const git = aSync({ lastSuccessAt: NOW, lastAttemptAt: NOW, feeds: ['repository', 'commit'] });
const probe = aSync({ id: `probe:${KEY}`, sourceType: 'probe', repositoryRef: '-', feeds: ['check'], lastSuccessAt: NOW, intervalMs: HOUR });
const checks = [
  aCheck({ checkedAt: NOW, state: 'degraded', provenance: aProvenance({ source: 'a' }) }),
  aCheck({ checkedAt: NOW + 5 * MINUTE, provenance: aProvenance({ source: 'b' }) }),
];
const world = [aRepositoryRecord(), aCommit(), aService(), ...checks, git, probe];
const LATE = NOW + 10 * MINUTE + 1;
const [NOT_DEGRADED, NOT_CHECKED] = [NOW + 15 * MINUTE, NOW + 20 * MINUTE];
const PROBE_LATE = NOW + 2 * HOUR + 1;
const START = NOW + 6 * MINUTE;

type Cases = ReturnType<typeof useCasesOver>;
type Ask = (cases: Cases) => Promise<Answer<unknown>>;

const asked: Readonly<Record<string, Ask>> = {
  listCommits: ({ listCommits }) => listCommits.execute({ ...scopedPage }, widgetOnly),
  getRepositoryHub: ({ getRepositoryHub }) => getRepositoryHub.execute({ fullName: 'acme/widget' }, widgetOnly),
  listSources: ({ listSources }) => listSources.execute({ limit: 20, after: null }, widgetOnly),
  getStatus: ({ getStatus }) => getStatus.execute({}, widgetOnly),
  getService: ({ getService }) => getService.execute({ key: KEY }, widgetOnly),
  getOverview: ({ getOverview }) => getOverview.execute({}, widgetOnly),
  search: ({ search }) => search.execute({ q: 'widget', types: [], limit: 20, after: null }, widgetOnly),
  listNews: ({ listNews }) => listNews.execute({ ...firstPage, source: null }, widgetOnly),
};

/** Search finds the service. */
const hit: SearchEntry = {
  position: { tier: 0, time: SERVICE_SEARCH_TIME, type: 'status-service', id: KEY },
  record: aService(),
};
const search: FakeReaders['search'] = { search: () => Promise.resolve({ items: [hit], next: null }) };

async function answerAt(ask: Ask, moment: Instant): Promise<Answer<unknown>> {
  return ask(useCasesOver({ ...fakeReaders(world), search }, new StandingClock(moment)));
}

/** What `changesAt` promises to cover: everything of the answer, except times that follow the clock and figures of rolling windows. */
function covered({ data, dataStatus, warnings }: Answer<unknown>): unknown {
  const figures = ['coveragePercent', 'uptimePercent', 'windows', 'checks', 'checksTracked', 'recentMs', 'months'];
  const rolling = new Set(['observedAt', 'generatedAt', 'lastCheckedAt', ...figures]);
  return JSON.parse(JSON.stringify({ data, dataStatus, warnings }, (name, value: unknown) => (rolling.has(name) ? undefined : value)));
}

describe('changesAt of an answer', () => {
  it.each([
    ['listCommits', [LATE, null]],
    ['getRepositoryHub', [LATE, null]],
    ['listSources', [LATE, PROBE_LATE, null]],
    ['getStatus', [NOT_DEGRADED, NOT_CHECKED, PROBE_LATE, null]],
    ['getService', [NOT_DEGRADED, NOT_CHECKED, PROBE_LATE, null]],
    ['getOverview', [LATE, NOT_DEGRADED, NOT_CHECKED, PROBE_LATE, null]],
    ['search', [LATE, NOT_DEGRADED, NOT_CHECKED, PROBE_LATE, null]],
    ['listNews', [null]],
  ] as const)('of %s names each next change: a source that becomes late, a check that ends', async (name, moments) => {
    let at: Instant | null = START;
    const found: (Instant | null)[] = [];
    while (at !== null) {
      const { changesAt }: Answer<unknown> = await answerAt(asked[name] as Ask, at);
      found.push((at = changesAt));
    }
    expect(found).toEqual(moments);
  });

  it('is never later than the first change of the answer, and at that moment the answer has changed', async () => {
    const moment = fc.integer({ min: START, max: NOW + 130 * MINUTE });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(asked)), moment, share, async (ask, at, part) => {
        const answer = await answerAt(ask, at);
        const end = answer.changesAt ?? at + DAY;
        for (const between of [at + Math.floor(part * (end - 1 - at)), end - 1])
          expect(covered(await answerAt(ask, between))).toEqual(covered(answer));
        if (answer.changesAt !== null) expect(covered(await answerAt(ask, answer.changesAt))).not.toEqual(covered(answer));
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 10 },
    );
  });

  it('of the days of a service is not later than the next UTC day, unless the span has ended', async () => {
    const days = (over: { readonly to: Instant | null; readonly after?: { readonly now: Instant; readonly start: Instant } | null }) =>
      useCasesOver(fakeReaders([aService()])).listServiceDays.execute({ key: KEY, limit: 5, after: null, from: null, ...over }, widgetOnly);
    const midnight = startOfDay(NOW) + DAY;
    expect((await days({ to: null })).changesAt).toBe(midnight);
    expect((await days({ to: NOW + 9 * DAY })).changesAt).toBe(midnight);
    expect((await days({ to: NOW })).changesAt).toBeNull();
    expect((await days({ to: null, after: { now: NOW - SECOND, start: startOfDay(NOW) } })).changesAt).toBeNull();
  });

  it('counts from before the states were judged when the clock moves on in between', async () => {
    const clock = new StandingClock(NOT_CHECKED - 1);
    const readers = fakeReaders(world);
    const { syncs } = readers;
    // The check ends after its state was judged, and before the answer is complete.
    const slow = { list: async (...args: Parameters<typeof syncs.list>) => (clock.set(NOT_CHECKED), syncs.list(...args)) };
    const { changesAt, data } = await useCasesOver({ ...readers, syncs: slow }, clock).getService.execute({ key: KEY }, widgetOnly);
    expect([data.currentState, changesAt]).toEqual(['operational', NOT_CHECKED]);
  });

  it.each(['getStatus', 'getService', 'getOverview'] as const)(
    'of %s belongs to the moment that generatedAt names, as all figures do',
    async (name) => {
      const clock = new StandingClock(NOT_CHECKED - 1);
      const readers = fakeReaders(world);
      const moments: Instant[] = [];
      const { present } = readers.checks;
      const slow = {
        ...readers.checks,
        present: (query: Parameters<typeof present>[0], context: Parameters<typeof present>[1]) => {
          moments.push(query.now);
          clock.set(clock.now() + SECOND);
          return present(query, context);
        },
      };
      const cases = useCasesOver({ ...readers, checks: slow }, clock);
      const answer = name === 'getService' ? await cases.getService.execute({ key: KEY }, widgetOnly) : await cases[name].execute({}, widgetOnly);
      expect(moments).toEqual([answer.generatedAt]);
    },
  );
});
