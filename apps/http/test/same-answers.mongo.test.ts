import { type Clock, Allowlist, DAY, MINUTE, SERVICE_STATES, type RecordIdentity, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { aCheck, anIncident, aRelease, aService, NOW, Random, randomRecords, someNews } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { Api, type Answer } from './support/api.js';
import { mongoStores } from './support/mongo-stores.js';
import { comparable, cursorOf } from './support/privacy-suites.js';
import { randomTarget } from './support/random-request.js';
import { smallWorld } from './support/small-world.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const RUNS = torture ? 1_000 : 1;
const ROUNDS = 2;
const REQUESTS = 10;
const REFS = ['acme/widget', 'acme/gadget', 'acme/secret', 'acme/widget#9', 'acme/aaa'] as const satisfies readonly RepositoryRef[];
const SERVICES = ['acme:widget-api', 'acme:docs', 'acme:cdn'] as const;
const SOURCES = ['probe', 'provider'] as const;
const context = { signal: new AbortController().signal };

/** Records of every kind: of approved and other repositories, from the past and the future, with late and repeated checks. */
function randomWrites(random: Random, serial: number): readonly StoredRecord[] {
  const news = Array.from({ length: 3 }, (_, index) => someNews({ id: `nws_${String(serial + index)}`, listedAt: NOW - random.int(9) * MINUTE }));
  const ahead = aRelease({
    repositoryRef: random.pick(REFS),
    tagName: `v${String(random.int(30))}`,
    publishedAt: NOW + (random.int(20) - 5) * MINUTE,
  });
  const incident = anIncident({
    id: `inc_${String(serial)}`,
    startedAt: NOW - random.int(50) * MINUTE,
    state: random.pick(['resolved', 'monitoring']),
  });
  const services = SERVICES.map((key) => aService({ key, displayName: `Service ${key}` }));
  const checks = Array.from({ length: torture ? 40 : 15 }, () => randomCheck(random));
  return [...randomRecords(random, REFS, serial, 30), ...news, ahead, incident, ...services, ...checks, ...checks.slice(0, 5)];
}

function randomCheck(random: Random): StoredRecord {
  const check = aCheck({
    serviceKey: random.pick(SERVICES),
    state: random.pick(SERVICE_STATES),
    checkedAt: NOW - random.int(random.pick([3, 200, 92 * 24 * 60])) * MINUTE + random.int(3) * 1_000,
    responseTimeMs: random.chance(0.2) ? null : random.int(900),
    validForMs: random.pick([15 * MINUTE, 60 * MINUTE, DAY]),
  });
  return { ...check, provenance: { ...check.provenance, source: random.pick(SOURCES) } };
}

function identitiesOf(records: readonly StoredRecord[]): readonly RecordIdentity[] {
  return records.flatMap((record): RecordIdentity[] => {
    if (record.kind === 'check')
      return [{ kind: 'check', serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source }];
    return record.kind === 'status-day' ? [] : [record];
  });
}

describeMongo('the embedded store and MongoDB', (databases) => {
  const openOwn = mongoStores(databases);
  /** Without its stream of changes, because what is kept until the stream tells of a write may be late by up to a second. */
  const openStore = async (clock: Clock) => {
    const { changeFeed: _changeFeed, ...store } = await openOwn(clock);
    return store;
  };

  it(
    'return the same responses, byte for byte, to any requests, after any writes, with any allowlist',
    async () => {
      for (let run = 0; run < RUNS; run++) {
        const random = new Random(31_000 + run);
        let approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
        const source = { current: () => approved };
        // Answers that are kept would say how old they are.
        const options = { approved: source, cacheAnswers: false };
        const apis = [await Api.open(options), await Api.open({ ...options, openStore })] as const;
        const cursors: string[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const writes = random.shuffled([...(round === 0 ? smallWorld : []), ...randomWrites(random, 1_000 * round)]);
          const gone = identitiesOf(random.shuffled(writes).slice(0, 8));
          const reports = await Promise.all(
            apis.map(async ({ store }) => [await store.writer.put(writes, context), await store.writer.remove(gone, context)]),
          );
          expect(reports[1]).toEqual(reports[0]);
          if (random.chance(0.5)) approved = new Allowlist(randomEntries(random), String(run * ROUNDS + round + 2)).approved();
          for (const { clock } of apis) clock.set(NOW + round * 4 * MINUTE);
          for (let count = 0; count < REQUESTS; count++) await sameAnswer(apis, random, cursors);
        }
        await Promise.all(apis.map((api) => api.close()));
      }
    },
    torture ? 3_600_000 : 120_000,
  );
});

function randomEntries(random: Random) {
  const names = ['widget', 'gadget', 'secret', 'aaa'].filter((name) => name === 'widget' || random.chance(0.5));
  return names.map((name) => ({
    owner: 'acme',
    name,
    fullName: `acme/${name}`,
    forgeId: name === 'widget' && random.chance(0.3) ? '9' : null,
  }));
}

async function sameAnswer([embedded, mongo]: readonly [Api, Api], random: Random, cursors: string[]): Promise<void> {
  const target = randomTarget(random, cursors);
  const [expected, actual]: readonly [Answer, Answer] = [await embedded.send('GET', target), await mongo.send('GET', target)];
  const [was, is] = [comparable(expected), comparable(actual)];
  // Most responses are equal byte for byte, and this comparison is far faster.
  if (JSON.stringify(is) !== JSON.stringify(was)) expect([target, is]).toEqual([target, was]);
  const cursor = cursorOf(actual);
  if (cursor !== null) cursors.push(cursor);
}
