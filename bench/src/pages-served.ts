import { DAY, HOUR, MINUTE } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { Contest, type Sampler } from './contest.js';
import { clock, shaOf } from './memory-world.js';
import { atLeast, atMost, percentile, type Figure } from './measure.js';
import { checkServices, commitsOn } from './page-answer.js';
import { serve } from './served.js';
import { contextOf, fillCommits, filledFolder } from './sqlite-store.js';
import { busyRefs, refOf } from './sqlite-world.js';
import { wireAnswer } from './wire-answer.js';
import { requestsPerSecond, requireWrk } from './wrk.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const SERVICES = 100;
/** All within the window of 90 days, also at the end of the benchmark. */
const CHECKED_DAYS = 80;
const CHECK_EVERY = 15 * MINUTE;
const CHECKS_EACH = (CHECKED_DAYS * DAY) / CHECK_EVERY;
const SECONDS = 5;
const ROUNDS = 3;
const WARMING_ROUNDS = 1;
const REQUESTS = 200;
const RANGES = 4;
const WARM_UP = 20;
/** On the overview; the others are on their own page. */
const SHOWN_SERVICES = 12;

const names = Array.from({ length: SERVICES }, (_, index) => `Service ${String(index).padStart(3, '0')}`);

interface StatusBody {
  readonly data: { readonly services: readonly { readonly displayName: string; readonly checksTracked: number }[] };
}

interface OverviewBody {
  readonly data: { readonly status: StatusBody['data']; readonly latestCommit: { readonly sha: string } };
}

/** An address, and the check of its answer. */
interface Asked {
  readonly url: string;
  readonly check: (body: string) => void;
}

/**
 * Pages without a cached answer, against the JSON of the same endpoint: both are computed for each request. One connection at a time asks, because
 * Vitrine computes equal requests at the same moment once.
 *
 * @param count the number of commits, for tests
 */
export async function servedPageFigures(count = COMMITS): Promise<readonly Figure[]> {
  requireWrk();
  const path = await filledFolder('pages_2', count, fill);
  const server = await serve({ store: 'sqlite', path, approved: busyRefs });
  try {
    const size = `${count.toLocaleString('en')} commits and ${String(SERVICES)} services in SQLite`;
    // The first request reads what is then kept in memory, and a part that takes longer than its time is missing from a page.
    for (const way of ['/api/v1/status', '/status', '/']) await (await fetch(server.url + way)).text();
    const ratio = await overviewRatio(server.url);
    const { page, json } = await statusTimes(server.url);
    return [
      atLeast(`overview page, ${size}, not cached, over one connection, against its JSON answer: requests/s`, ratio, 'times', 0.4),
      atMost(`status page of ${String(SERVICES)} services, not cached: p95 above that of its JSON`, page - json, 'ms', 60),
      atMost('page of a service with 80 days of hours, not cached: p95', await serviceTime(server.url), 'ms', 60),
    ];
  } finally {
    server.stop();
  }
}

async function overviewRatio(server: string): Promise<number> {
  const samplers = new Map([
    ['page', await samplerOf({ url: `${server}/`, check: checkOverviewPage })] as const,
    ['json', await samplerOf({ url: `${server}/api/v1/overview`, check: checkOverview })] as const,
  ]);
  await new Contest<'page' | 'json'>().run(samplers, WARMING_ROUNDS);
  const contest = new Contest<'page' | 'json'>();
  await contest.run(samplers, ROUNDS);
  return contest.ratio('page', 'json') ?? Number.NaN;
}

async function samplerOf({ url, check }: Asked): Promise<Sampler> {
  const right = async (): Promise<number> => {
    const { body, bytes } = await wireAnswer(url);
    check(body.toString());
    return bytes;
  };
  await right();
  return async () => {
    const rate = await requestsPerSecond({ url, connections: 1, seconds: SECONDS, answerBytes: await right() });
    await right();
    return rate;
  };
}

/** The 95th percentile of both, requested in turn. */
async function statusTimes(server: string): Promise<Readonly<Record<'page' | 'json', number>>> {
  const samples = { page: [] as number[], json: [] as number[] };
  for (let request = -WARM_UP; request < REQUESTS; request++) {
    const json = await timeOf({ url: `${server}/api/v1/status`, check: checkStatus });
    const page = await timeOf({
      url: `${server}/status`,
      check: (body) => {
        checkServices('the status page', body, names);
      },
    });
    if (request < 0) continue;
    samples.json.push(json);
    samples.page.push(page);
  }
  return { page: percentile(samples.page, 0.95), json: percentile(samples.json, 0.95) };
}

async function serviceTime(server: string): Promise<number> {
  const samples: number[] = [];
  for (let request = -WARM_UP; request < REQUESTS; request++) {
    const key = `acme:service-${String(Math.abs(request) % SERVICES).padStart(3, '0')}`;
    const ms = await timeOf({
      url: `${server}/status/services/${encodeURIComponent(key)}`,
      check: (body) => {
        mustBe('ranges of response times', body.split('data-p50=').length - 1, RANGES);
      },
    });
    if (request >= 0) samples.push(ms);
  }
  return percentile(samples, 0.95);
}

async function timeOf({ url, check }: Asked): Promise<number> {
  const start = performance.now();
  const body = await (await fetch(url)).text();
  const ms = performance.now() - start;
  check(body);
  return ms;
}

function checkStatus(body: string): void {
  checkServicesOf((JSON.parse(body) as StatusBody).data);
}

function checkServicesOf({ services }: StatusBody['data']): void {
  mustBe(
    'services in JSON',
    services.map(({ displayName, checksTracked }) => `${displayName} ${String(checksTracked)}`),
    names.map((name) => `${name} ${String(CHECKS_EACH)}`),
  );
}

function checkOverview(body: string): void {
  const { status, latestCommit } = (JSON.parse(body) as OverviewBody).data;
  checkServicesOf(status);
  mustBe('newest commit', latestCommit.sha, newestSha());
}

function checkOverviewPage(body: string): void {
  checkServices('the overview', body, names.slice(0, SHOWN_SERVICES));
  // Further commits of a day are folded.
  mustBe('newest commit on the overview', commitsOn(body)[0]?.split('@')[1], newestSha());
}

/** The newest commit of the approved repositories. */
function newestSha(): string {
  let serial = 0;
  while (!busyRefs.includes(refOf(serial))) serial++;
  return shaOf(serial);
}

/** One check in a thousand fails. The newest is valid while the benchmark runs. */
async function fill(path: string, count: number): Promise<void> {
  await fillCommits(path, count);
  const store = await openSqliteStore({ clock, path });
  const context = contextOf(busyRefs);
  for (const [service, displayName] of names.entries()) {
    const serviceKey = `acme:service-${String(service).padStart(3, '0')}`;
    await store.writer.put([aService({ key: serviceKey, displayName })], context);
    const checks = Array.from({ length: CHECKS_EACH }, (_, index) => {
      const state = (service * 31 + index) % 1_000 === 999 ? 'outage' : 'operational';
      return aCheck({ serviceKey, state, checkedAt: NOW - index * CHECK_EVERY, validForMs: HOUR });
    });
    await store.writer.put(checks, context);
  }
  await store.close();
}
