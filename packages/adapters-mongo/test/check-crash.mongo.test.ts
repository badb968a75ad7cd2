import { DAY, HOUR, MAX_VALIDITY_MS, MINUTE, SERVICE_STATES, startOfDay, type Check } from '@vitrine/core';
import { aCheck, aProvenance, aStatusDay, NOW, Random, StandingClock } from '@vitrine/core/testing';
import { describeMongo, everyNth, isTorture } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { Collections } from '../src/collections.js';
import { acquireLease, initStore, type DatabaseLease } from '../src/index.js';
import type { CheckWriter } from '../src/status/check-writer.js';
import { CHECK_COLLECTIONS, checkItems, checkWriterOver, derivedDocuments, RETENTION_MS } from './support/check-store.js';
import { contentsOf, expectSame, restore, type Contents } from './support/contents.js';
import { FailingCollections } from './support/failing-collections.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
/** Every death before the commit leaves the same data. Odd, so that both parities occur. */
const STEP = everyNth(23);
const frozen = startOfDay(NOW - RETENTION_MS) - 2 * DAY;

function someChecks(random: Random, count: number): Check[] {
  return Array.from({ length: count }, () => {
    const checkedAt = NOW - random.int(random.pick([3, 3, 40]) * DAY);
    return aCheck({
      serviceKey: random.pick(['acme:api', 'acme:docs', 'acme:shop']),
      checkedAt,
      state: random.pick(SERVICE_STATES),
      validForMs: random.pick([15 * MINUTE, 5 * HOUR, DAY, 4 * DAY, MAX_VALIDITY_MS]),
      provenance: aProvenance({ source: random.pick(['probe', 'provider']), observedAt: checkedAt }),
    });
  });
}

const identityOf = ({ kind, serviceKey, checkedAt, provenance }: Check) => ({ kind, serviceKey, checkedAt, source: provenance.source });

describeMongo('a writer of checks that dies', (databases) => {
  let db: Db;
  const random = new Random(3);
  const [before, batch, after] = [
    someChecks(random, isTorture ? 36 : 5),
    someChecks(random, isTorture ? 18 : 4),
    someChecks(random, isTorture ? 5 : 2),
  ];
  const oldDay = aStatusDay({ serviceKey: 'acme:api', day: frozen });
  const removed = before.slice(0, isTorture ? 12 : 3).map(identityOf);

  const works: readonly (readonly [string, (writer: CheckWriter) => Promise<unknown>])[] = [
    ['putting', (writer) => writer.put(checkItems([...batch, oldDay]), context)],
    ['removing', (writer) => writer.remove(removed, context)],
  ];

  let start: Contents;
  let lease: DatabaseLease;
  const writerOver = (collections: Collections): CheckWriter => checkWriterOver(collections, clock, lease);

  beforeAll(async () => {
    db = await databases.prepared(initStore);
    lease = await acquireLease(db, { holder: 'the dying', ...context });
    await writerOver(new Collections(db)).put(checkItems(before), context);
    start = await contentsOf(db, CHECK_COLLECTIONS);
  });

  it.each(works)(
    'leaves no incomplete data if %s is repeated, or if the next call follows',
    async (_name, work) => {
      await restore(db, start);
      const clean = writerOver(new Collections(db));
      await work(clean);
      const whole = await derivedDocuments(db);
      await clean.put(checkItems(after), context);
      const wholeWithNext = await derivedDocuments(db);

      let operations = 0;
      for (; ; operations += STEP) {
        await restore(db, start);
        const died = await work(writerOver(new FailingCollections(db, operations))).then(
          () => false,
          (error: unknown) => (error instanceof Error ? error.message : ''),
        );
        if (died === false) break;
        expect(died).toBe('died');
        // In another process, the next call may come before the interrupted one is repeated.
        if (operations % 2 === 1) await writerOver(new Collections(db)).put(checkItems(after), context);
        await work(writerOver(new Collections(db)));
        expectSame(await derivedDocuments(db), operations % 2 === 1 ? wholeWithNext : whole);
      }
      expect(operations).toBeGreaterThanOrEqual(8);
    },
    120_000,
  );
});
