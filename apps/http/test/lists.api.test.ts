import { DAY, MINUTE, type StoredRecord } from '@vitrine/core';
import { aBuild, aCheck, anIncident, aRepositoryRecord, aService, NOW } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';

type Shown = Readonly<Record<string, unknown>>;

const builds = Array.from({ length: 12 }, (_, index) =>
  aBuild({
    id: `bld_${String(index)}`,
    repositoryRef: index % 4 === 3 ? 'acme/secret' : 'acme/widget',
    state: index % 3 === 0 ? 'failed' : 'succeeded',
    branch: index % 2 === 0 ? 'main' : 'next',
    startedAt: NOW - (index - (index % 2)) * MINUTE,
  }),
);
const incidents = (['scheduled', 'completed', 'resolved', 'in_progress', 'verifying'] as const).map((state, index) =>
  anIncident({
    id: `inc_${state}`,
    state,
    incidentKind: state === 'resolved' ? 'declared' : 'maintenance',
    startedAt: NOW + (index === 0 ? DAY : -index * MINUTE),
    services: index === 1 ? [{ key: 'acme:docs', displayName: 'Docs', impacts: [] }] : [],
  }),
);
const services = ['acme:api', 'acme:docs', 'acme:www', 'zeta:cdn'].map((key, index) =>
  aService({ key, displayName: key, ...(index < 2 && { group: 'Inner' }) }),
);
const checks = [
  aCheck({ serviceKey: 'acme:api', state: 'operational', checkedAt: NOW - MINUTE }),
  aCheck({ serviceKey: 'acme:docs', state: 'outage', checkedAt: NOW - MINUTE }),
  aCheck({ serviceKey: 'acme:www', state: 'operational', checkedAt: NOW - MINUTE }),
];
const repositories = ['acme/widget', 'acme/secret'].map((fullName) => aRepositoryRecord({ fullName, repositoryRef: fullName as 'acme/widget' }));
const records: readonly StoredRecord[] = [...repositories, ...builds, ...incidents, ...services, ...checks];

describe('the lists of builds, maintenance and services', () => {
  let api: Api;
  beforeAll(async () => {
    api = await Api.open({ records, approved: approving('acme/widget') });
  });
  afterAll(() => api.close());

  /** The ids of a whole list, read in pages of this length. */
  async function idsOf(target: string, limit: number): Promise<readonly unknown[]> {
    const ids: unknown[] = [];
    const separator = target.includes('?') ? '&' : '?';
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json, status } = await api.get(`${target}${separator}limit=${String(limit)}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      const { data, meta } = json as { readonly data: readonly Shown[]; readonly meta: { readonly nextCursor: string | null } };
      ids.push(...data.map(({ id, key }) => id ?? key));
      cursor = meta.nextCursor;
    }
    return ids;
  }

  const shownBuilds = builds.filter(({ repositoryRef }) => repositoryRef === 'acme/widget');
  const buildIds = (isAsked: (build: (typeof builds)[number]) => boolean) => shownBuilds.filter(isAsked).map(({ id }) => id);

  it.each([
    ['/api/v1/development/builds', shownBuilds.map(({ id }) => id)],
    ['/api/v1/development/builds?state=FAILED', buildIds(({ state }) => state === 'failed')],
    ['/api/v1/development/builds?state=failed,succeeded&branch=main', buildIds(({ branch }) => branch === 'main')],
    ['/api/v1/development/builds?repository=acme/secret', []],
    ['/api/v1/status/maintenance', ['inc_scheduled', 'inc_completed', 'inc_in_progress', 'inc_verifying']],
    ['/api/v1/status/maintenance?state=open', ['inc_scheduled', 'inc_in_progress', 'inc_verifying']],
    ['/api/v1/status/maintenance?service=acme:docs', ['inc_completed']],
    ['/api/v1/status/services', ['acme:api', 'acme:docs', 'acme:www', 'zeta:cdn']],
    ['/api/v1/status/services?state=operational', ['acme:api', 'acme:www']],
    ['/api/v1/status/services?state=outage,unknown', ['acme:docs', 'zeta:cdn']],
    ['/api/v1/status/services?group=Inner', ['acme:api', 'acme:docs']],
  ])('hold what is asked for, on pages of any length: %s', async (target, expected) => {
    for (const limit of [1, 2, 100]) expect(await idsOf(target, limit)).toEqual(expected);
  });

  it('hold the same records as the hub, the incidents and the status', async () => {
    const data = async (target: string) => ((await api.get(target)).json as { readonly data: unknown }).data;
    const [hub, status] = [(await data('/api/v1/repositories/acme/widget/hub')) as Shown, (await data('/api/v1/status')) as Shown];
    expect(await data('/api/v1/development/builds?limit=10')).toEqual(hub['builds']);
    expect(await data('/api/v1/status/services')).toEqual(status['services']);
    const all = (await data('/api/v1/status/incidents')) as readonly Shown[];
    expect(await data('/api/v1/status/maintenance')).toEqual(all.filter(({ kind }) => kind === 'maintenance'));
  });

  it.each([
    '/api/v1/development/builds?state=broken',
    '/api/v1/status/maintenance?state=resolved',
    '/api/v1/status/services?state=down',
    '/api/v1/status/services?from=2026-01-01',
  ])('refuse %s', async (target) => {
    expect((await api.get(target)).status).toBe(400);
  });
});
