import {
  DAY,
  HOUR,
  MINUTE,
  SERVICE_STATES,
  ServiceBoard,
  startOfDay,
  type Check,
  type CheckReader,
  type Deadlines,
  type FeedPosition,
} from '@vitrine/core';
import { aCheck, aProvenance, aStatusDay, NOW, StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { openMemoryStore } from '../index.js';

const context = { signal: new AbortController().signal };
const KEYS = ['acme:api', 'acme:docs', 'acme:shop'] as const;
const deadlines: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

/** A store whose changes a board follows, and the reads of the board. */
async function followed() {
  const clock = new StandingClock(NOW);
  const store = await openMemoryStore({ clock });
  const calls: string[] = [];
  const { checks } = store.readers;
  const counted: CheckReader = {
    ...checks,
    present: (query, own) => (calls.push(`present ${query.serviceKeys?.join(' ') ?? 'all'}`), checks.present(query, own)),
    days: (query, own) => (calls.push('days'), checks.days(query, own)),
    sums: (query, own) => (calls.push(`sums ${query.serviceKeys?.join(' ') ?? 'all'}`), checks.sums(query, own)),
  };
  const board = new ServiceBoard(counted, { deadlines, isTold: true });
  let position: FeedPosition | null = null;
  const hear = async (): Promise<void> => {
    const news = await store.changeFeed.changesSince(position, { limit: 1_000, waitMs: 0 }, context);
    ({ position } = news);
    board.hear(news);
  };
  await hear();
  const put = async (...checks: readonly Check[]) => {
    await store.writer.put(checks, context);
    await hear();
  };
  const evidence = (keys: readonly string[] | null = null) => board.evidence(keys, clock.now(), context);
  /** What a board knows that has just been made. */
  const fresh = () => new ServiceBoard(checks, { deadlines }).evidence(null, clock.now(), context);
  const days = () => board.pastDays(91, clock.now(), context);
  const freshDays = () => new ServiceBoard(checks, { deadlines }).pastDays(91, clock.now(), context);
  const reads = async (ask: () => Promise<unknown>): Promise<readonly string[]> => {
    calls.length = 0;
    await ask();
    return [...calls];
  };
  return { store, clock, board, hear, put, evidence, fresh, days, freshDays, reads };
}

const check = (serviceKey: string, checkedAt: number, over: Partial<Check> = {}): Check =>
  aCheck({ serviceKey, checkedAt, provenance: aProvenance({ source: 'a', observedAt: checkedAt }), ...over });

describe('ServiceBoard', () => {
  it('reads once, then again only what has changed, and the past only for changes of days that have ended', async () => {
    const { put, evidence, reads, clock } = await followed();
    await put(...KEYS.flatMap((key) => [check(key, NOW - MINUTE), check(key, NOW - 3 * DAY)]));
    expect(await reads(() => evidence())).toEqual(['present all', 'sums all']);
    expect(await reads(() => evidence(['acme:api']))).toEqual([]);
    await put(check('acme:api', NOW));
    expect(await reads(() => evidence())).toEqual(['present acme:api']);
    await put(check('acme:docs', NOW - 2 * DAY, { state: 'outage' }), check('acme:api', NOW - 2));
    const changed = await reads(() => evidence());
    expect(changed.map((call) => call.split(' ').sort())).toEqual([
      ['acme:api', 'acme:docs', 'present'],
      ['acme:docs', 'sums'],
    ]);
    clock.set(NOW + HOUR);
    expect(await reads(() => evidence())).toEqual(['present all', 'sums all']);
    expect(await reads(() => evidence())).toEqual([]);
  });

  it('reads the days that have ended once an hour, and again after a change of one of them', async () => {
    const { put, days, reads, clock } = await followed();
    await put(check('acme:api', NOW - 3 * DAY, { state: 'outage' }), check('acme:api', NOW - MINUTE));
    expect(await reads(() => Promise.all([days(), days()]))).toEqual(['days', 'sums all']);
    expect([...((await days()).get('acme:api')?.values() ?? [])]).toMatchObject([{ state: 'outage', checks: 1, failed: 1 }]);
    await put(check('acme:api', NOW));
    expect(await reads(days)).toEqual([]);
    await put(check('acme:docs', NOW - DAY));
    expect(await reads(days)).toEqual(['days', 'sums all']);
    clock.set(NOW + HOUR);
    expect(await reads(days)).toEqual(['days', 'sums all']);
  });

  it('shares what is read between requests at the same time', async () => {
    const { put, evidence, reads } = await followed();
    await put(check('acme:api', NOW));
    expect(await reads(() => Promise.all([evidence(), evidence(['acme:api']), evidence()]))).toEqual(['present all', 'sums all']);
  });

  it('does not keep what was read before a change as if it were read after it', async () => {
    const { put, evidence, fresh, board } = await followed();
    await put(check('acme:api', NOW - MINUTE));
    const early = evidence();
    // Told while the first read is under way.
    board.hear({ isTooOld: false, changes: [{ ...CHANGE, serviceKey: 'acme:api', day: startOfDay(NOW) - DAY }] });
    await early;
    await put(check('acme:api', NOW - DAY, { state: 'outage' }));
    expect(await evidence()).toEqual(await fresh());
  });

  it('reads everything again after changes were missed, and after a read that failed', async () => {
    const { put, evidence, reads, board, store } = await followed();
    await put(check('acme:api', NOW));
    await evidence();
    board.hear({ isTooOld: true, changes: [] });
    expect(await reads(() => evidence())).toEqual(['present all', 'sums all']);
    board.hear({ isTooOld: false, changes: [{ ...CHANGE, serviceKey: null }] });
    expect(await reads(() => evidence())).toEqual(['present all', 'sums all']);
    let isBroken = true;
    const broken: CheckReader = {
      ...store.readers.checks,
      sums: (...args) => (isBroken ? Promise.reject(new Error('connection reset')) : store.readers.checks.sums(...args)),
    };
    const other = new ServiceBoard(broken, { deadlines, isTold: true });
    await expect(other.evidence(null, NOW, context)).rejects.toThrow('connection reset');
    isBroken = false;
    expect((await other.evidence(null, NOW, context)).size).toBe(1);
  });

  it('answers for an earlier hour, as later pages of a history ask for, without forgetting the present one', async () => {
    const { put, evidence, reads, board } = await followed();
    await put(check('acme:api', NOW - 3 * HOUR), check('acme:api', NOW));
    await evidence();
    const early = (await board.evidence(['acme:api'], NOW - 2 * HOUR, context)).get('acme:api');
    expect(early?.tallies[0]?.counts.operational).toBe(1);
    expect(await reads(() => evidence())).toEqual([]);
  });

  it('knows at any time what a new board reads, whatever is put, removed and imported, and however time passes', async () => {
    const someCheck = fc
      .record({
        serviceKey: fc.constantFrom(...KEYS),
        age: fc.oneof(fc.integer({ min: -2 * MINUTE, max: 3 * HOUR }), fc.integer({ min: 0, max: 95 * DAY })),
        state: fc.constantFrom(...SERVICE_STATES),
        validForMs: fc.constantFrom(15 * MINUTE, DAY, 20 * DAY),
        source: fc.constantFrom('a', 'b'),
      })
      .map(({ serviceKey, age, source, ...over }) => ({
        age,
        make: (now: number) => check(serviceKey, now - age, { ...over, provenance: aProvenance({ source }) }),
      }));
    const step = fc.record({
      put: fc.array(someCheck, { maxLength: 6 }),
      removed: fc.option(fc.nat()),
      imported: fc.constantFrom(false, false, true),
      pause: fc.constantFrom(0, MINUTE, 20 * MINUTE, HOUR, DAY),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { store, clock, hear, evidence, fresh, days, freshDays } = await followed();
        const stored: Check[] = [];
        for (const { put, removed, imported, pause } of steps) {
          const checks = put.map(({ make }) => make(clock.now()));
          stored.push(...checks);
          await store.writer.put([...checks, ...(imported ? [aStatusDay({ serviceKey: KEYS[0], day: startOfDay(NOW - 450 * DAY) })] : [])], context);
          const gone = removed === null ? undefined : stored[removed % Math.max(1, stored.length)];
          if (gone !== undefined) await store.writer.remove([{ ...gone, source: gone.provenance.source }], context);
          await hear();
          expect(await evidence()).toEqual(await fresh());
          expect(await days()).toEqual(await freshDays());
          clock.set(clock.now() + pause);
          expect(await days()).toEqual(await freshDays());
          expect(await evidence()).toEqual(await fresh());
        }
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 1_000 : 5 },
    );
  });
});

const CHANGE = { operation: 'put', kind: 'check', key: null, repositoryRef: '-', day: startOfDay(NOW), sync: null, position: 'x' } as const;
