import { createUseCases, DAY, HOUR } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { createMongoReaders } from '@vitrine/adapters-mongo';
import { describeMongo } from '@vitrine/test-support';
import { fillChecks } from '../src/mongo-checks.js';
import { mongoStoredChecks } from '../src/mongo-stored-checks.js';

describeMongo('the database of the status benchmark', (databases) => {
  it('has services whose state and counts match their checks, none of them unknown', async () => {
    const db = await databases.database();
    await fillChecks(db, { services: 40, lengthMs: 2 * HOUR, now: NOW });
    const clock = { now: () => NOW };
    const search = { search: () => Promise.reject(new Error('no search')) };
    const { getStatus } = createUseCases({ ...createMongoReaders(db, { clock }), search }, { clock });
    const { services } = (await getStatus.execute({}, { signal: new AbortController().signal })).data;
    const stored = await mongoStoredChecks(db, NOW);
    expect(services).toHaveLength(40);
    expect(services.filter(({ currentState }) => currentState === 'unknown')).toEqual([]);
    expect(new Map(services.map(({ key, currentState }) => [key, currentState]))).toEqual(stored.states);
    const counted = services.filter(({ key }) => stored.isCounted(key));
    expect(counted.map(({ checksTracked }) => checksTracked)).toEqual([2 * 60, 2 * 60]);
    expect(counted.map(({ key }) => stored.count(key, NOW - 90 * DAY, NOW))).toEqual([2 * 60, 2 * 60]);
  });
});
