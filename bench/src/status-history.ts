import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, MINUTE, startOfHour, type Check, type RecordWriter } from '@vitrine/core';
import { aCheck, aProvenance, type Random } from '@vitrine/core/testing';
import { atMost, percentile, type Figure } from './measure.js';
import type { Served } from './served.js';
import type { StoredChecks } from './stored-checks.js';
import { mustBe } from './wrong-answer.js';

export const HISTORY_SERVICES = 100;
export const HISTORY_DAYS = 400;
/** The size of a history, for the names of figures. */
export const HISTORY_SIZE = '100 services with 400 days of checks (576,000 in the longest)';
const STARTS = 5;
const REQUESTS = 400;
const WARM_UP = 15;
const WRITE_EVERY_MS = 100;
const SEEN_AFTER_MS = 1_000;
const STATUS = '/api/v1/status';
const SOURCE = 'Acme second probe';
const context = { signal: new AbortController().signal };

/** A store with more than a year of checks. */
export interface StoredHistory {
  readonly stored: StoredChecks;
  /** Starts a new process that serves the store. Its time starts at `NOW`. */
  readonly serve: () => Promise<Served>;
  /** Writes into the store, in the process of the benchmark. */
  readonly writerAt: (clock: { readonly now: () => number }) => Pick<RecordWriter, 'put' | 'remove'>;
}

interface StatusBody {
  readonly data: {
    readonly services: readonly {
      readonly key: string;
      readonly currentState: string;
      readonly windows: Readonly<Record<string, { readonly checksTracked: number }>>;
    }[];
  };
  readonly meta: { readonly generatedAt: string };
}

export function historyKey(service: number): string {
  return `acme:service-${String(service).padStart(3, '0')}`;
}

/** The time between two checks: the first service is checked each minute, the others every 15 minutes. */
export function historyInterval(service: number): number {
  return service === 0 ? MINUTE : 15 * MINUTE;
}

/** One in two hundred is slow, and one in a thousand fails. */
export function historyCheck(random: Random, serviceKey: string, checkedAt: number): Check {
  const luck = random.int(1_000);
  const state = luck === 0 ? 'outage' : luck <= 5 ? 'degraded' : 'operational';
  const provenance = aProvenance({ source: 'Acme probe', sourceKind: 'confirmed-from-source', observedAt: checkedAt });
  return aCheck({ serviceKey, checkedAt, state, responseTimeMs: 80 + random.int(60) + (luck <= 5 ? 900 : 0), validForMs: 15 * MINUTE, provenance });
}

/** Compares the windows of the counted services with the raw checks. */
function checkStatus(body: unknown, stored: StoredChecks, written: WrittenChecks): void {
  const { data, meta } = body as StatusBody;
  mustBe('number of services', data.services.length, HISTORY_SERVICES);
  const until = Date.parse(meta.generatedAt);
  for (const { key, windows } of data.services.filter((service) => stored.isCounted(service.key)))
    for (const [name, days] of [
      ['24h', 1],
      ['90d', 90],
      ['365d', 365],
    ] as const) {
      const before = stored.count(key, startOfHour(until) - days * DAY, until);
      const tracked = windows[name]?.checksTracked ?? Number.NaN;
      const isRight = tracked >= before + written.acknowledged(key, until) && tracked <= before + written.begun(key);
      mustBe(`checks of ${key} in ${name}: ${String(tracked)}, stored before: ${String(before)}`, isRight, true);
    }
}

/** The checks that this process writes while a server answers. */
class WrittenChecks {
  readonly #begun: Check[] = [];
  readonly #acknowledged: { readonly check: Check; readonly at: number }[] = [];
  #seen = 0;

  begin(check: Check): void {
    this.#begun.push(check);
  }

  acknowledge(check: Check): void {
    this.#acknowledged.push({ check, at: performance.now() });
  }

  /** Call before a request: it must count what was acknowledged until a second ago, because another process has written it. */
  requesting(): void {
    const seenUntil = performance.now() - SEEN_AFTER_MS;
    this.#seen = this.#acknowledged.filter(({ at }) => at <= seenUntil).length;
  }

  acknowledged(key: string, until: number): number {
    return this.#acknowledged.slice(0, this.#seen).filter(({ check }) => check.serviceKey === key && check.checkedAt <= until).length;
  }

  begun(key: string): number {
    return this.#begun.filter(({ serviceKey }) => serviceKey === key).length;
  }

  get all(): readonly Check[] {
    return this.#begun;
  }
}

/** The first response of each of several servers. Each runs in its own new process. */
async function firstTimes({ stored, serve }: StoredHistory): Promise<number[]> {
  const samples: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const server = await serve();
    const began = performance.now();
    const body = await server.get(STATUS);
    samples.push(performance.now() - began);
    checkStatus(body, stored, new WrittenChecks());
    server.stop();
  }
  return samples;
}

/** Repeats the request while another process writes a new check every 100 ms, for one service after the other. */
async function repeatedTimes({ stored, serve, writerAt }: StoredHistory): Promise<number[]> {
  const server = await serve();
  const { meta } = (await server.get(STATUS)) as StatusBody;
  const offset = Date.parse(meta.generatedAt) - performance.now();
  const clock = { now: () => Math.trunc(offset + performance.now()) };
  const writer = writerAt(clock);
  const written = new WrittenChecks();
  const samples: number[] = [];
  const done = new AbortController();
  const writing = (async () => {
    for (let index = 0; !done.signal.aborted; index++) {
      const [check, due] = [newCheck(index, clock.now()), performance.now() + WRITE_EVERY_MS];
      written.begin(check);
      mustBe('stored', (await writer.put([check], context)).stored, 1);
      written.acknowledge(check);
      await sleep(Math.max(0, due - performance.now()));
    }
  })();
  try {
    for (let request = -WARM_UP; request < REQUESTS; request++) {
      written.requesting();
      const began = performance.now();
      const body = await server.get(STATUS);
      if (request >= 0) samples.push(performance.now() - began);
      checkStatus(body, stored, written);
      await sleep(20);
    }
  } finally {
    done.abort();
    await writing;
    server.stop();
    await writer.remove(
      written.all.map(({ serviceKey, checkedAt }) => ({ kind: 'check', serviceKey, checkedAt, source: SOURCE })),
      context,
    );
  }
  return samples;
}

function newCheck(index: number, checkedAt: number): Check {
  return aCheck({ serviceKey: historyKey(index % HISTORY_SERVICES), checkedAt, provenance: aProvenance({ source: SOURCE, observedAt: checkedAt }) });
}

/** Status of services with more than a year of checks: the first response of a new process, and repeated ones while checks are written. */
export async function historyFigures(
  history: StoredHistory,
  what: string,
  limits: { readonly first: number; readonly repeated: number },
): Promise<readonly Figure[]> {
  // The data is read from the disk once.
  await firstTimes(history);
  const first = await firstTimes(history);
  const repeated = await repeatedTimes(history);
  return [
    atMost(`${what}: first response after a start, slowest of ${String(STARTS)}`, Math.max(...first), 'ms', limits.first),
    atMost('the same: repeated, with a check written every 100 ms: p95', percentile(repeated, 0.95), 'ms', limits.repeated),
  ];
}
