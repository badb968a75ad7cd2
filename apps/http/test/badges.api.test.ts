import { DAY, MINUTE, type StoredRecord } from '@vitrine/core';
import { aCheck, aCommit, aRepositoryRecord, aService, NOW } from '@vitrine/core/testing';
import { Api } from './support/api.js';
import { BADGE_TARGETS } from './support/documents.js';
import { FaultyStore } from './support/faulty-store.js';
import { smallWorld } from './support/small-world.js';

interface BadgeBody {
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** The endpoint of which each badge shows a part. */
const SHOWN: readonly (readonly [start: string, endpoint: string])[] = [
  ['/badges/status', '/api/v1/status'],
  ['/badges/services', '/api/v1/status/services/acme:widget-api'],
  ['/badges/repositories', '/api/v1/repositories/acme/widget'],
];

/** For the tests that only read. */
let ordinary: Api;

beforeAll(async () => {
  ordinary = await open();
});
afterEach(() => Api.closeAll(ordinary));
afterAll(() => Api.closeAll());

const open = (...records: readonly StoredRecord[]) => Api.open({ records: [...smallWorld, ...records] });
const badgeOf = async (api: Api, target: string): Promise<BadgeBody> => (await api.get(target)).json as BadgeBody;

describe('a badge', () => {
  it.each(BADGE_TARGETS)('at %s is kept as long as its endpoint, has a weak tag, and a HEAD', async (target) => {
    const [, endpoint = ''] = SHOWN.find(([start]) => target.startsWith(start)) ?? [];
    const [badge, shown] = [await ordinary.send('GET', target), await ordinary.get(endpoint)];
    expect([badge.status, badge.headers['cache-control']]).toEqual([200, shown.headers['cache-control']]);
    expect(badge.headers['surrogate-key']).toBe(shown.headers['surrogate-key']);
    expect((await ordinary.send('GET', target, { 'If-None-Match': String(badge.headers['etag']) })).status).toBe(304);
    const head = await ordinary.send('HEAD', target);
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', badge.headers['content-length']]);
  });

  it('is 503 if the store cannot be read', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    faulty.set('fails');
    for (const target of BADGE_TARGETS) expect([target, (await api.get(target)).status]).toEqual([target, 503]);
  });

  it('is the last good one if the store is lost', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    const good = new Map<string, string>();
    for (const target of BADGE_TARGETS) {
      const { status, body } = await api.get(target);
      expect([target, status]).toEqual([target, 200]);
      good.set(target, body);
    }
    faulty.set('fails');
    api.clock.set(api.clock.now() + MINUTE);
    for (const [target, body] of good) expect(await api.get(target)).toMatchObject({ target, status: 200, body });
  });

  it('says what the API says', async () => {
    const { json } = await ordinary.get('/api/v1/status/services/acme:widget-api');
    const { data } = json as {
      readonly data: { readonly uptimePercent: number; readonly currentState: string; readonly responseTimeMs: { p50: number } };
    };
    const messages = await Promise.all(
      ['state', 'uptime', 'response'].map(async (name) => (await badgeOf(ordinary, `/badges/services/acme:widget-api/${name}.json`)).message),
    );
    expect(messages).toEqual([data.currentState, `${JSON.stringify(data.uptimePercent)}%`, `${String(data.responseTimeMs.p50)} ms`]);
    expect((await badgeOf(ordinary, '/badges/repositories/ACME/Widget/release.json')).message).toBe('v2.1.0');
  });

  it('counts the commits of 30 days of one repository', async () => {
    const api = await open(
      aCommit({ sha: 'a'.repeat(40), committedAt: NOW - 2 * DAY }),
      aCommit({ sha: 'b'.repeat(40), committedAt: NOW - 40 * DAY }),
    );
    expect((await badgeOf(api, '/badges/repositories/acme/widget/activity.json')).message).toBe('2');
  });

  it('of a service without checks is grey and unknown', async () => {
    const api = await open(aService({ key: 'acme:new' }));
    for (const name of ['state', 'uptime', 'response'])
      expect(await badgeOf(api, `/badges/services/acme:new/${name}.json`)).toMatchObject({ message: 'unknown', color: 'lightgrey' });
  });

  it('turns grey when its checks have grown old while the store is lost', async () => {
    const faulty = new FaultyStore();
    const records = [aService({ key: 'acme:only' }), aCheck({ serviceKey: 'acme:only', checkedAt: NOW - 15 * MINUTE, validForMs: 20 * MINUTE })];
    const api = await Api.open({ records, readers: faulty.over });
    const [status, state] = ['/badges/status.json', '/badges/services/acme:only/state.json'];
    expect([(await badgeOf(api, status)).message, (await badgeOf(api, state)).message]).toEqual(['operational', 'operational']);
    faulty.set('fails');
    api.clock.set(NOW + 10 * MINUTE);
    for (const target of [status, state]) expect(await badgeOf(api, target)).toMatchObject({ message: 'unknown', color: 'lightgrey' });
  });

  it('takes a style of a closed set, and no text', async () => {
    const plain = await ordinary.get('/badges/status.svg');
    expect((await ordinary.get('/badges/status.svg?label=hacked&message=hacked&color=red&style=')).body).toBe(plain.body);
    expect((await ordinary.get('/badges/status.svg?style=for-the-badge')).body).not.toBe(plain.body);
    expect((await ordinary.get('/badges/status.svg?style=neon')).status).toBe(400);
  });

  it.each(['/badges/services/acme:nobody/state.svg', '/badges/repositories/acme/nobody/release.svg', '/badges/services/%20/state.json'])(
    'at %s is 404, because nothing has that name',
    async (target) => {
      expect((await ordinary.get(target)).status).toBe(404);
    },
  );

  it('of a repository without a release is unknown', async () => {
    const api = await Api.open({ records: [aRepositoryRecord()] });
    expect(await badgeOf(api, '/badges/repositories/acme/widget/release.json')).toMatchObject({ message: 'unknown', color: 'lightgrey' });
  });
});
