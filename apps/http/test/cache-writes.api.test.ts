import { Allowlist, MINUTE, SECOND, SERVICE_STATES, type RecordIdentity, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { aCheck, anIncident, aRepositoryRecord, aService, aSync, NOW, Random, randomRecords, someNews } from '@vitrine/core/testing';
import { isTorture } from '@vitrine/test-support';
import { Api, type Answer } from './support/api.js';
import { DOCUMENT_TARGETS } from './support/documents.js';
import { comparable, cursorOf } from './support/privacy-suites.js';
import { randomTarget } from './support/random-request.js';
import { Pair } from './support/shared-store.js';
import { smallWorld } from './support/small-world.js';

const [RUNS, STEPS] = isTorture ? [500, 30] : [1, 15];
const REFS = ['acme/widget', 'acme/gadget', 'acme/secret', 'acme/aaa'] as const satisfies readonly RepositoryRef[];
const FEEDS = ['repository', 'commit', 'release', 'finding', 'build', 'mission', 'news', 'article', 'video', 'check', 'incident'] as const;
const SERVICES = ['acme:widget-api', 'acme:docs'] as const;
const TARGETS = [
  '/api/v1/overview',
  '/api/v1/status',
  '/api/v1/sources',
  '/api/v1/repositories',
  '/api/v1/repositories/acme/widget',
  '/api/v1/repositories/acme/gadget/hub',
  '/api/v1/development/commits?limit=5',
  '/api/v1/development/releases?limit=5',
  '/api/v1/development/findings?repository=acme/gadget',
  '/api/v1/development/activity',
  '/api/v1/development/activity?repository=acme/gadget&from=2026-11-01',
  '/api/v1/missions',
  '/api/v1/news',
  '/api/v1/articles',
  '/api/v1/videos?limit=3',
  '/api/v1/search?q=widget',
  '/api/v1/search?q=acme&type=repository,status-service',
  '/api/v1/status/incidents',
  '/api/v1/status/services/acme:docs',
  '/api/v1/status/services/acme:widget-api/history?granularity=day',
  ...DOCUMENT_TARGETS,
] as const;
const context = { signal: new AbortController().signal };

afterEach(() => Api.closeAll());

function randomWrite(random: Random, serial: number): readonly StoredRecord[] {
  const kinds = [
    () => randomRecords(random, [random.pick(REFS)], serial, 2),
    () => [someNews({ id: `nws_${String(random.int(9))}`, title: `News ${String(serial)}`, listedAt: NOW - random.int(9) * MINUTE })],
    () => [anIncident({ id: `inc_${String(random.int(4))}`, state: random.pick(['resolved', 'monitoring']), startedAt: NOW - serial * SECOND })],
    () => [aService({ key: random.pick(SERVICES), displayName: `Service ${String(serial)}` })],
    () => [randomCheck(random)],
    () => [randomSync(random, serial)],
    () => [aRepositoryRecord({ repositoryRef: random.pick(REFS), defaultBranch: `branch-${String(serial)}` })],
  ] as const;
  return random.pick(kinds)();
}

function randomCheck(random: Random): StoredRecord {
  return aCheck({
    serviceKey: random.pick(SERVICES),
    state: random.pick(SERVICE_STATES),
    checkedAt: NOW - random.int(40) * MINUTE,
    validForMs: random.pick([15, 20, 60]) * MINUTE,
  });
}

function randomSync(random: Random, serial: number): StoredRecord {
  const isScoped = random.chance(0.7);
  return aSync({
    id: `source:${String(random.int(6))}`,
    repositoryRef: isScoped ? random.pick(REFS) : '-',
    feeds: random.shuffled(FEEDS).slice(0, 1 + random.int(2)),
    lastSuccessAt: random.chance(0.2) ? null : NOW - MINUTE - serial * SECOND,
    lastAttemptAt: NOW - random.int(60) * SECOND,
    lastFailureAt: random.chance(0.3) ? NOW - random.int(60) * SECOND : null,
  });
}

function identityOf(record: StoredRecord): RecordIdentity | null {
  if (record.kind === 'check') return { kind: 'check', serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source };
  return record.kind === 'status-day' ? null : record;
}

function ageless(answer: Answer): unknown {
  const { age: _, ...headers } = answer.headers;
  return comparable({ ...answer, headers });
}

/** The first place where two answers differ, with the text around it; `null` if they are equal. */
function differenceOf(a: unknown, b: unknown): readonly string[] | null {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  if (one === other) return null;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return [one, other].map((text) => text.slice(Math.max(0, at - 60), at + 60));
}

describe('with a store that announces its writes, a kept answer', () => {
  it(
    'equals the answer that would be computed, byte for byte, after any writes and removals',
    async () => {
      let hits = 0;
      for (let run = 0; run < RUNS; run++) {
        const random = new Random(52_000 + run);
        let approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
        const pair = await Pair.open({ records: [...smallWorld, ...randomRecords(random, REFS, 0)], approved: { current: () => approved } });
        const written: StoredRecord[] = [];
        const targets: string[] = [...TARGETS];
        for (let step = 0; step < STEPS; step++) {
          const records = randomWrite(random, 1_000 + step);
          const gone = random.chance(0.2)
            ? random
                .shuffled(written)
                .slice(0, 2)
                .flatMap((record) => identityOf(record) ?? [])
            : [];
          written.push(...records);
          await pair.store.writer.put(records, context);
          if (gone.length > 0) await pair.store.writer.remove(gone, context);
          if (random.chance(0.05)) {
            approved = Allowlist.of(...random.shuffled(['acme/widget', 'acme/gadget', 'acme/aaa']).slice(0, 2)).approved();
            await pair.store.writer.indexFor(approved, context);
          }
          if (targets.length < 40 + DOCUMENT_TARGETS.length) targets.push(randomTarget(random, []));
          for (const target of random.shuffled(targets).slice(0, 9)) {
            const kept = await pair.keeping.send('GET', target);
            const computed = await pair.computing.send('GET', target);
            if (kept.headers['age'] !== undefined) hits += 1;
            expect([run, step, target, differenceOf(ageless(kept), ageless(computed))]).toEqual([run, step, target, null]);
            const cursor = cursorOf(computed);
            if (cursor !== null && targets.length < 40 && !target.includes('cursor'))
              targets.push(`${target}${target.includes('?') ? '&' : '?'}cursor=${cursor}`);
          }
        }
        await Api.closeAll();
      }
      expect(hits).toBeGreaterThan(RUNS * 10);
    },
    RUNS * 60_000,
  );
});
