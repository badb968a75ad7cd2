import { DAY, formatDate, MINUTE, NotFoundError, type Check } from '@vitrine/core';
import { aCheck, anIncident, aProvenance, aService, aSync, NOW } from '@vitrine/core/testing';
import { context, failing, fakeReaders, hanging } from '../../../test/fake-readers.js';
import { useCasesOver } from '../../../test/fake-use-cases.js';

const KEY = 'acme:widget-api';
const other = aService({ key: 'acme:docs' });
const statusOver = (...records: Parameters<typeof fakeReaders>[0]) => useCasesOver(fakeReaders(records)).getStatus.execute({}, context);

describe('GetStatus', () => {
  it('lists the services by key, and takes the worst for the whole', async () => {
    const { data } = await statusOver(aService(), other, aCheck(), aCheck({ serviceKey: other.key, state: 'degraded' }));
    expect(data.services.map(({ key, currentState }) => [key, currentState])).toEqual([
      ['acme:docs', 'degraded'],
      [KEY, 'operational'],
    ]);
    expect(data.overallState).toBe('degraded');
  });

  it.each([
    ['unknown', 'one service unknown, the rest operational', [aService(), other, aCheck()]],
    ['unknown', 'no service at all', []],
    ['unknown', 'services that were never checked', [aService(), other]],
    [
      'outage',
      'an outage during maintenance of another service',
      [aService(), other, aCheck({ state: 'maintenance' }), aCheck({ serviceKey: other.key, state: 'outage' })],
    ],
    ['unknown', 'a check that has grown old', [aService(), aCheck({ checkedAt: NOW - 15 * MINUTE })]],
  ] as const)('is %s with %s', async (state, _, records) => {
    expect((await statusOver(...records)).data.overallState).toBe(state);
  });

  it('is an outage as long as one of two valid sources says so', async () => {
    const sources = ['a', 'b'].map((source) => aProvenance({ source }));
    const [up, down] = [
      aCheck({ ...(sources[0] && { provenance: sources[0] }) }),
      aCheck({ state: 'outage', ...(sources[1] && { provenance: sources[1] }) }),
    ];
    expect((await statusOver(aService(), up, down)).data.overallState).toBe('outage');
    expect((await statusOver(aService(), down, up)).data.overallState).toBe('outage');
  });

  it('is as fresh as its checks', async () => {
    const status = async (lastSuccessAt: number) =>
      (await statusOver(aService(), aSync({ repositoryRef: '-', feeds: ['check'], lastSuccessAt }))).dataStatus;
    expect([await status(NOW), await status(NOW - DAY)]).toEqual(['fresh', 'stale']);
  });

  it('bears the time of the newest check', async () => {
    const both = [aCheck({ checkedAt: NOW - 9 * MINUTE }), aCheck({ serviceKey: other.key, checkedAt: NOW - 3 * MINUTE })];
    expect((await statusOver(aService(), other, ...both)).data.observedAt).toBe(NOW - 3 * MINUTE);
    expect((await statusOver(aService(), aCheck({ checkedAt: NOW - 7 * MINUTE }))).data.observedAt).toBe(NOW - 7 * MINUTE);
    expect((await statusOver(aService(), aCheck({ checkedAt: NOW + 30_000 }))).data.observedAt).toBe(NOW);
    expect((await statusOver(aService())).data.observedAt).toBeNull();
  });

  it('shows unresolved incidents only', async () => {
    const unresolved = anIncident({ id: 'open', state: 'monitoring' });
    const states = (['resolved', 'postmortem', 'completed'] as const).map((state) => anIncident({ id: state, state }));
    expect((await statusOver(...states, unresolved)).data.incidents).toEqual({ current: [unresolved], historicalAvailable: true });
  });

  it.each([
    ['cannot be read', failing],
    ['do not come', hanging],
  ])('says when incidents %s', async (_, unresolved) => {
    const readers = fakeReaders([aService(), aCheck(), aSync({ feeds: ['check'] })]);
    const { getStatus } = useCasesOver({ ...readers, incidents: { ...readers.incidents, unresolved } });
    const answer = await getStatus.execute({}, context);
    expect(answer.data.incidents).toEqual({ current: [], historicalAvailable: false });
    expect([answer.dataStatus, answer.warnings]).toEqual([
      'partial',
      [{ code: 'SOURCE_UNAVAILABLE', source: 'incident', detail: 'Stored incident records could not be read.' }],
    ]);
  });

  it('fails rather than guess when checks cannot be read', async () => {
    const readers = fakeReaders([aService()]);
    const { getStatus } = useCasesOver({ ...readers, checks: { ...readers.checks, present: failing } });
    await expect(getStatus.execute({}, context)).rejects.toThrow('connection reset');
  });
});

describe('GetService', () => {
  it('shows one service as the overview does', async () => {
    const records = [aService(), other, aCheck(), aCheck({ state: 'outage', checkedAt: NOW - DAY })];
    const { getService } = useCasesOver(fakeReaders(records));
    const one = await getService.execute({ key: KEY }, context);
    const { months: _months, ...shown } = one.data;
    expect(shown).toEqual((await statusOver(...records)).data.services[1]);
    expect(one.data).toMatchObject({ uptimePercent: 50, checksTracked: 2 });
  });

  it('adds up the months since the first check, and all of them', async () => {
    const at = (date: string) => Date.parse(`${date}T12:00:00Z`);
    const check = (date: string, state: Check['state'] = 'operational') => aCheck({ checkedAt: at(date), state, validForMs: MINUTE });
    const checks = [check('2026-08-31'), check('2026-10-01'), check('2026-10-31', 'outage'), check('2026-11-01'), check('2026-11-19')];
    const { data } = await useCasesOver(fakeReaders([aService(), ...checks])).getService.execute({ key: KEY }, context);
    expect(
      data.months.map(({ month, uptimePercent, checksTracked, outageMs }) => [formatDate(month), uptimePercent, checksTracked, outageMs]),
    ).toEqual([
      ['2026-11-01', 100, 2, 0],
      ['2026-10-01', 50, 2, MINUTE],
      ['2026-09-01', null, 0, 0],
      ['2026-08-01', 100, 1, 0],
    ]);
    expect(data.sinceStart).toEqual({ uptimePercent: 80, checksTracked: 5 });
    const late = await useCasesOver(fakeReaders([aService(), check('2020-01-01'), check('2026-11-20')])).getService.execute({ key: KEY }, context);
    expect([late.data.months.length, late.data.months[0]?.checksTracked, late.data.sinceStart.checksTracked]).toEqual([12, 1, 2]);
  });

  it.each(['acme:unknown', '', '__proto__'])('does not know %j', async (key) => {
    await expect(useCasesOver(fakeReaders([aService()])).getService.execute({ key }, context)).rejects.toEqual(new NotFoundError());
  });
});
