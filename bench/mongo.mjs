import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { atLeast, atMost, percentile, timeEach } from './measure.mjs';
import { benchMongod, filled } from './mongod.mjs';
import { NOW } from '../packages/core/dist/testing/index.js';
import { fillCommits } from './mongo-lists.mjs';

const COMMITS = '/api/v1/development/commits';
const ROUNDS = 5;
const REQUESTS = 150;
/** Two processes of the same code differ by a twentieth, as their code happens to be compiled. */
const PAIRS = 3;
const CONTESTS = 5;
const CONTEST = 1_000;
/** Servers that have been up for a while: more code takes longer to be compiled. */
const WARMING = 3_000;
/** The load ends with one of its samples. */
const SAMPLE_MS = 20;
const FEW = 10_000;
const MANY = 1_000_000;

/** A server on one database and one list of approved repositories, as in production: a process of its own. */
export async function serve(uri, database, approval, kind = 'vitrine') {
  const child = fork(fileURLToPath(new URL('mongo-server.mjs', import.meta.url)), [uri, database, approval, kind]);
  const [{ port }] = await once(child, 'message');
  const get = async (path) => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`);
    if (response.status !== 200) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return response.json();
  };
  return { url: `http://127.0.0.1:${String(port)}`, get, stop: () => child.kill('SIGKILL') };
}

async function cursorOfPage(server, number) {
  let cursor = null;
  // A cursor does not care how long the pages are.
  for (let records = 0; records < (number - 1) * 20; records += 100) {
    const { meta } = await server.get(`${COMMITS}?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`);
    if (meta.nextCursor === null) throw new Error(`there are only ${String(records)} records`);
    cursor = meta.nextCursor;
  }
  return cursor;
}

/** Medians of calls that take turns, so that a slow moment of the machine slows all of them. */
async function inTurn(calls) {
  const rounds = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, call] of Object.entries(calls)) rounds[name].push(percentile(await timeEach(REQUESTS, call), 0.5));
  return Object.fromEntries(Object.entries(rounds).map(([name, medians]) => [name, percentile(medians, 0.5)]));
}

async function listRows(uri, small, big) {
  const rows = [];
  for (const approval of ['20', '1000']) {
    const servers = { few: await serve(uri, small, approval), many: await serve(uri, big, approval) };
    const cursor = await cursorOfPage(servers.many, 1_000);
    const p50 = await inTurn({
      few: () => servers.few.get(COMMITS),
      many: () => servers.many.get(COMMITS),
      deep: () => servers.many.get(`${COMMITS}?cursor=${cursor}`),
    });
    for (const server of Object.values(servers)) server.stop();
    rows.push(
      atMost(
        `list of 20 over HTTP, ${approval} of 10,000 repositories approved: p50 with 1,000,000 against 10,000 records`,
        p50.many / p50.few,
        'times',
        1.2,
      ),
      atMost('the same: p50 of page 1,000 against page 1', p50.deep / p50.many, 'times', 1.2),
    );
  }
  return rows;
}

/** Everything approved is older than nine tenths of the store. */
async function oldRows(uri, big) {
  const firsts = [];
  let later = [];
  // By the first process the database has its pages in its cache.
  for (let process = 0; process <= 10; process++) {
    const server = await serve(uri, big, 'old');
    await server.get('/api/v1/repositories?limit=1');
    const start = performance.now();
    await server.get(COMMITS);
    firsts.push(performance.now() - start);
    later = later.concat(await timeEach(REQUESTS, () => server.get(COMMITS)));
    server.stop();
  }
  return [
    atMost('1,000 approved that are all older than 90 % of 1,000,000 records: p95 of the first page', percentile(firsts.slice(1), 0.95), 'ms', 80),
    atMost('the same: p95 afterwards', percentile(later, 0.95), 'ms', 20),
  ];
}

/** Another page with each request, far from the one before: what is remembered of one hardly serves the next. */
function pagesByTime() {
  let count = 0;
  return () => `${COMMITS}?to=${new Date(NOW - ((count++ * 7_919) % 9_000) * 1_000_000).toISOString()}`;
}

async function byHandRows(uri, big) {
  const others = [0, 0];
  const same = [0, 0];
  for (let pair = 0; pair < PAIRS; pair++) {
    const servers = [await serve(uri, big, '20'), await serve(uri, big, '20', 'by-hand')];
    await mustAgree(...servers);
    await contest(servers, pagesByTime, others);
    await contest(servers, () => () => COMMITS, same);
    for (const server of servers) server.stop();
  }
  return [
    atLeast(
      'other pages of that list all the time, against a hand-written Express route with the driver: requests/s',
      others[1] / others[0],
      'times',
      0.9,
    ),
    atLeast('the same with the first page all the time', same[1] / same[0], 'times', 0.9),
  ];
}

async function mustAgree(vitrine, byHand) {
  const own = ({ data }) => JSON.stringify(data);
  const page = pagesByTime();
  for (let count = 0; count < 50; count++) {
    const path = page();
    if (own(await vitrine.get(path)) !== own(await byHand.get(path))) throw new Error(`the two answers to ${path} differ`);
  }
}

/** Adds the seconds of the servers' rounds, in which they take turns; each goes on where its last round ended. */
async function contest(servers, pages, sums) {
  const sequences = servers.map(() => pages());
  for (const [index, server] of servers.entries()) await secondsOf(server, sequences[index], WARMING);
  for (let round = 0; round < CONTESTS; round++)
    for (const [index, server] of servers.entries()) sums[index] += await secondsOf(server, sequences[index], CONTEST);
}

/** Seconds that so many requests take. A count, because the end of a time cuts requests off, and a server whose clients go has other work. */
async function secondsOf({ url }, page, amount) {
  const requests = [{ setupRequest: (request) => ({ ...request, path: page() }) }];
  const { start, finish, non2xx, errors } = await autocannon({ url, connections: 16, amount, requests, sampleInt: SAMPLE_MS });
  if (non2xx + errors > 0) throw new Error(`${String(non2xx)} answers other than 2xx, ${String(errors)} errors`);
  return (finish - start) / 1_000;
}

export async function mongoListFigures() {
  const { client, uri, stop } = await benchMongod();
  try {
    await filled(client, 'lists_few', (db) => fillCommits(db, FEW));
    await filled(client, 'lists_many', (db) => fillCommits(db, MANY));
    return [...(await listRows(uri, 'lists_few', 'lists_many')), ...(await oldRows(uri, 'lists_many')), ...(await byHandRows(uri, 'lists_many'))];
  } finally {
    await stop();
  }
}
