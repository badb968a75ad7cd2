import { DAY, HOUR, MINUTE, startOfHour } from '@vitrine/core';
import { aCheck, anIncident, aService, NOW } from '@vitrine/core/testing';
import { Api } from './support/api.js';

const KEY = aService().key;
const HISTORY = `/api/v1/status/services/${encodeURIComponent(KEY)}/history`;
const context = { signal: new AbortController().signal };
const hour = startOfHour(NOW);
const records = [
  aService(),
  aCheck({ checkedAt: hour - 2 * HOUR, state: 'outage', rawState: 'http 503' }),
  aCheck({ checkedAt: hour - 2 * HOUR + 5 * MINUTE }),
  aCheck({ checkedAt: NOW - MINUTE }),
  anIncident({ id: 'inc_hour', startedAt: hour - 2 * HOUR, resolvedAt: hour - 2 * HOUR + 5 * MINUTE }),
];

interface Entry {
  readonly startAt: string;
  readonly date: string;
  readonly state: string;
  readonly checks: Readonly<Record<string, number>>;
  readonly outageMs: number | null;
  readonly incidents: readonly string[];
  readonly complete: boolean;
}

const dataOf = (body: string): readonly Entry[] => (JSON.parse(body) as { readonly data: readonly Entry[] }).data;

describe('the history of a service by the hour', () => {
  let api: Api;
  beforeEach(async () => {
    api = await Api.open({ records });
  });
  afterEach(() => api.close());

  it('has the fields of a day and the start of the hour, newest first', async () => {
    const { status, body } = await api.get(`${HISTORY}?granularity=hour&limit=3`);
    expect(status).toBe(200);
    const hours = dataOf(body);
    expect(hours.map(({ startAt, state, outageMs, incidents }) => [startAt, state, outageMs, incidents])).toEqual([
      [new Date(hour).toISOString(), 'operational', 0, []],
      [new Date(hour - HOUR).toISOString(), 'unknown', null, []],
      [new Date(hour - 2 * HOUR).toISOString(), 'outage', 5 * MINUTE, ['inc_hour']],
    ]);
    const [day] = dataOf((await api.get(`${HISTORY}?granularity=day&limit=1`)).body);
    expect(Object.keys(hours[0] ?? {}).filter((name) => name !== 'startAt')).toEqual(Object.keys(day ?? {}));
  });

  it('sums up to the day, page by page', async () => {
    const date = new Date(hour - 2 * HOUR).toISOString().slice(0, 10);
    let target = `${HISTORY}?granularity=hour&from=${date}&to=${date}&limit=5`;
    let outages = 0;
    let entries = 0;
    for (let pages = 0; target !== '' && pages < 10; pages++) {
      const { body } = await api.get(target);
      for (const { checks } of dataOf(body)) outages += checks['outage'] ?? 0;
      entries += dataOf(body).length;
      const { nextCursor } = (JSON.parse(body) as { readonly meta: { readonly nextCursor: string | null } }).meta;
      target = nextCursor === null ? '' : `${HISTORY}?granularity=hour&from=${date}&to=${date}&limit=5&cursor=${nextCursor}`;
    }
    const [day] = dataOf((await api.get(`${HISTORY}?granularity=day&from=${date}&to=${date}`)).body);
    expect(outages).toBe(day?.checks['outage']);
    expect(entries).toBe(startOfHour(NOW) % DAY === 0 ? 24 : Math.min(24, (hour - Date.parse(date)) / HOUR + 1));
  });

  it('refuses more than 92 days', async () => {
    const { status, body } = await api.get(`${HISTORY}?granularity=hour&from=2026-08-01&to=2026-11-10`);
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'INVALID_PARAMETER', errors: [{ parameter: 'from' }] }]);
  });

  it('shows a late check at once, in the figures, the state and the hours', async () => {
    const target = `/api/v1/status/services/${encodeURIComponent(KEY)}`;
    const tracked = async () => (JSON.parse((await api.get(target)).body) as { readonly data: Record<string, unknown> }).data;
    expect(await tracked()).toMatchObject({ checksTracked: 3, stateReason: '200', stateSince: new Date(NOW - MINUTE).toISOString() });
    await api.store.writer.put(
      [aCheck({ checkedAt: NOW - 3 * DAY }), aCheck({ checkedAt: NOW - 20_000, state: 'outage', rawState: 'timeout' })],
      context,
    );
    await new Promise(setImmediate);
    expect(await tracked()).toMatchObject({
      checksTracked: 5,
      currentState: 'outage',
      stateReason: 'timeout',
      stateSince: new Date(NOW - 20_000).toISOString(),
    });
  });
});

describe('the first status after a start', () => {
  it('takes the sums that were read ahead, which are read once', async () => {
    let reads = 0;
    const api = await Api.open({
      records,
      readsAhead: true,
      readers: (own) => ({
        ...own,
        checks: {
          ...own.checks,
          sums: async (...args) => {
            reads += 1;
            // The feed of changes begins meanwhile.
            await new Promise(setImmediate);
            return own.checks.sums(...args);
          },
        },
      }),
    });
    expect((await api.get('/api/v1/status')).status).toBe(200);
    expect(reads).toBe(1);
    await api.close();
  });
});
