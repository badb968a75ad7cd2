import { MINUTE, SERVICE_STATES, type StoredRecord } from '@vitrine/core';
import { aCheck, aService, aSync, NOW, Random } from '@vitrine/core/testing';
import { isTorture } from '@vitrine/test-support';
import { Api, type Answer } from './support/api.js';
import { Pair } from './support/shared-store.js';

const [RUNS, STEPS] = isTorture ? [300, 30] : [1, 8];
const SERVICES = ['acme:api', 'acme:docs', 'acme:cdn'] as const;
const TARGETS = [
  '/api/v1/status',
  '/api/v1/overview',
  '/api/v1/sources',
  '/api/v1/news',
  '/api/v1/status/incidents',
  '/api/v1/search?q=acme&type=status-service',
  ...SERVICES.map((key) => `/api/v1/status/services/${key}`),
  '/api/v1/status/services/acme:api/history?granularity=day&limit=2',
] as const;

afterEach(() => Api.closeAll());

/** Checks and runs whose validity ends at different moments of the next minutes. */
function randomWorld(random: Random): readonly StoredRecord[] {
  const soon = (): number => NOW - 15 * MINUTE + random.int(2 * MINUTE);
  return [
    ...SERVICES.map((key) => aService({ key, displayName: `acme ${key}` })),
    ...Array.from({ length: 12 }, () => {
      const check = aCheck({ serviceKey: random.pick(SERVICES), state: random.pick(SERVICE_STATES), checkedAt: soon(), validForMs: 15 * MINUTE });
      return { ...check, provenance: { ...check.provenance, source: random.pick(['probe', 'provider']) } };
    }),
    ...SERVICES.map((key) =>
      aSync({
        id: `probe:${key}`,
        sourceType: 'probe',
        label: key,
        repositoryRef: '-',
        feeds: ['check'],
        intervalMs: 7.5 * MINUTE,
        lastSuccessAt: soon(),
      }),
    ),
    aSync({ id: 'feed:news', sourceType: 'feed', repositoryRef: '-', feeds: ['news'], intervalMs: 7.5 * MINUTE, lastSuccessAt: soon() }),
  ];
}

/** The states, and how current the answer says it is: everything but figures of rolling windows and the time of the answer. */
function judgements({ json, body }: Answer): unknown {
  const { meta } = json as { readonly meta: Readonly<Record<string, unknown>> };
  const states = body.match(/"(?:currentState|lastKnownState|overallState|state|description|date)":"[^"]*"/g);
  return { states, meta: { ...meta, generatedAt: null, nextCursor: null } };
}

describe('a kept answer, while time passes and nothing is written', () => {
  it(
    'never says more than the answer that would be computed: states, lateness and warnings are the same at every moment',
    async () => {
      let hits = 0;
      for (let run = 0; run < RUNS; run++) {
        const random = new Random(81_000 + run);
        const pair = await Pair.open({ records: randomWorld(random) });
        for (let step = 0; step < STEPS; step++) {
          pair.advance(random.pick([1, 999, 3_000, 5_000]) + random.int(1_000));
          for (const target of random.shuffled(TARGETS).slice(0, 6)) {
            const kept = await pair.keeping.send('GET', target);
            if (kept.headers['age'] !== undefined) hits += 1;
            expect([run, step, target, judgements(kept)]).toEqual([run, step, target, judgements(await pair.computing.send('GET', target))]);
          }
        }
        await Api.closeAll();
      }
      expect(hits).toBeGreaterThan(RUNS * 20);
    },
    RUNS * 60_000,
  );
});
