import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, MINUTE, startOfDay, startOfHour, type Check, type RecordWriter } from '@vitrine/core';
import { aCheck, aProvenance, NOW } from '@vitrine/core/testing';
import { atMost, elementOf, mustBe, percentile, timeOnce, type Figure } from './measure.js';
import type { Served } from './processes.js';
import { jsonOf } from './wire.js';
import { services } from './world.js';

const DAYS = 400;
export const HISTORY_START = startOfDay(NOW) - (DAYS - 1) * DAY;
/** The checks of every n-th service are counted. No check is written for them meanwhile. */
const COUNTED = 33;
const WINDOWS = { '24h': 1, '90d': 90, '365d': 365 } as const;
const STARTS = 5;
const REQUESTS = 400;
const WARM_UP = 15;
const WRITE_EVERY_MS = 100;
/** What another process has written is counted after this time. */
const SEEN_AFTER_MS = 1_000;
const STATUS = '/api/v1/status';
const SOURCE = 'Acme second probe';
const context = { signal: new AbortController().signal };

interface StoredHistory {
  /** Starts a new process that serves the store. Its time starts at `NOW`. */
  readonly serve: () => Promise<Served>;
  /** Writes into the store, in the process of the benchmark. */
  readonly writerAt: (clock: { readonly now: () => number }) => Pick<RecordWriter, 'put' | 'remove'>;
}

interface ServiceBody {
  readonly key: string;
  readonly windows: Readonly<Record<string, { readonly checksTracked: number }>>;
}

interface StatusBody {
  readonly data: { readonly services: readonly ServiceBody[] };
  readonly meta: { readonly generatedAt: string };
}

const historyKey = (service: number): string => elementOf(services, service).key;

/** The times of the checks of a UTC day: the first service is checked each minute, the others every 15 minutes. */
function timesOfDay(service: number, day: number) {
  const interval = service === 0 ? MINUTE : 15 * MINUTE;
  const first = day + (((Math.imul(service + 1, 0x9e3779b1) ^ Math.imul(day / DAY, 0x85ebca6b)) >>> 0) % MINUTE);
  return { first, interval, length: Math.max(0, Math.ceil((Math.min(day + DAY, NOW) - first) / interval)) };
}

/** One in two hundred is slow, and one in a thousand fails. */
export function checksOfDay(service: number, day: number): readonly Check[] {
  const { first, interval, length } = timesOfDay(service, day);
  return Array.from({ length }, (_, index) => {
    const checkedAt = first + index * interval;
    const luck = (Math.imul(checkedAt / MINUTE, 0xc2b2ae35) >>> 0) % 1_000;
    const state = luck === 0 ? 'outage' : luck <= 5 ? 'degraded' : 'operational';
    const provenance = aProvenance({ source: 'Acme probe', sourceKind: 'confirmed-from-source', observedAt: checkedAt });
    const responseTimeMs = 80 + (luck % 60) + (luck <= 5 ? 900 : 0);
    return aCheck({ serviceKey: historyKey(service), checkedAt, state, responseTimeMs, validForMs: 15 * MINUTE, provenance });
  });
}

/** The windows of the counted services hold the checks that were made, and no other. */
function checkStatus({ data, meta }: StatusBody): void {
  mustBe('number of services', data.services.length, services.length);
  const until = Date.parse(meta.generatedAt);
  for (let service = 0; service < services.length; service += COUNTED)
    for (const [name, days] of Object.entries(WINDOWS)) {
      const from = startOfHour(until) - days * DAY;
      const tracked = data.services.find(({ key }) => key === historyKey(service))?.windows[name]?.checksTracked;
      mustBe(`checks of ${historyKey(service)} in ${name}`, tracked, countOf(service, from, until));
    }
}

/** Without lists of times: they would be megabytes for each answer, and their collection would disturb the measurement. */
function countOf(service: number, from: number, to: number): number {
  let count = 0;
  for (let day = startOfDay(Math.max(from, HISTORY_START)); day <= to; day += DAY) {
    const { first, interval, length } = timesOfDay(service, day);
    const before = (time: number): number => Math.min(length, Math.max(0, Math.ceil((time - first) / interval)));
    count += before(to + 1) - before(from);
  }
  return count;
}

async function firstTimes({ serve }: StoredHistory): Promise<number[]> {
  const samples: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const { url, process: server } = await serve();
    samples.push(...(await timeOnce(1, () => jsonOf<StatusBody>(url + STATUS), checkStatus)));
    server.stop();
  }
  return samples;
}

/** Repeats the request while this process writes. In the end, the status must count what was written. */
async function repeatedTimes({ serve, writerAt }: StoredHistory): Promise<number[]> {
  const { url, process: server } = await serve();
  const status = () => jsonOf<StatusBody>(url + STATUS);
  const offset = Date.parse((await status()).meta.generatedAt) - performance.now();
  const clock = { now: () => Math.trunc(offset + performance.now()) };
  const writer = writerAt(clock);
  const done = new AbortController();
  const written: Check[] = [];
  const writing = writeUntil(done.signal, writer, clock.now, written);
  const samples: number[] = [];
  try {
    for (let request = 0; request < WARM_UP + REQUESTS; request++) {
      samples.push(...(await timeOnce(1, status, checkStatus)));
      await sleep(20);
    }
    done.abort();
    await writing;
    await sleep(SEEN_AFTER_MS);
    checkWritten(await status(), written);
  } finally {
    done.abort();
    await writing;
    server.stop();
    const identities = written.map(({ kind, serviceKey, checkedAt }) => ({ kind, serviceKey, checkedAt, source: SOURCE }));
    await writer.remove(identities, context);
  }
  return samples.slice(WARM_UP);
}

async function writeUntil(signal: AbortSignal, writer: Pick<RecordWriter, 'put'>, now: () => number, written: Check[]): Promise<void> {
  while (!signal.aborted) {
    const [checkedAt, due] = [now(), performance.now() + WRITE_EVERY_MS];
    const provenance = aProvenance({ source: SOURCE, observedAt: checkedAt });
    const check = aCheck({ serviceKey: historyKey(1 + (written.length % (COUNTED - 1))), checkedAt, provenance });
    written.push(check);
    mustBe('stored', (await writer.put([check], context)).stored, 1);
    await sleep(Math.max(0, due - performance.now()));
  }
}

function checkWritten({ data, meta }: StatusBody, written: readonly Check[]): void {
  const until = Date.parse(meta.generatedAt);
  for (let service = 1; service < COUNTED; service++) {
    const key = historyKey(service);
    const expected = countOf(service, startOfHour(until) - DAY, until) + written.filter(({ serviceKey }) => serviceKey === key).length;
    mustBe(`checks of ${key}, with those written meanwhile`, data.services.find((one) => one.key === key)?.windows['24h']?.checksTracked, expected);
  }
}

/** Status of services with more than a year of checks: the first response of a new process, and repeated ones while checks are written. */
export async function historyRows(store: string, history: StoredHistory): Promise<readonly Figure[]> {
  // The data is read from the disk once.
  await firstTimes(history);
  const first = await firstTimes(history);
  const repeated = await repeatedTimes(history);
  const what = `status over HTTP in ${store}, 100 services with 400 days of checks (576,000 in the longest)`;
  return [
    atMost(`${what}: first response after a start, slowest of ${String(STARTS)}`, Math.max(...first), 'ms', 400),
    atMost('the same: repeated, with a check written every 100 ms: p95', percentile(repeated, 0.95), 'ms', 40),
  ];
}
