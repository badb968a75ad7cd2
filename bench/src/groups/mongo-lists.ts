import type { Db } from 'mongodb';
import { type Commit, type RepositoryRef } from '@vitrine/core';
import { aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { ensureIndexes } from '@vitrine/adapters-mongo';
import { atMost, COMMITS, Contest, elementOf, percentile, SIZE, timeEach, timeOnce, type Figure } from '../measure.js';
import { filledDatabase, insert, serveStore, withMongod } from '../stores.js';
import { COMMITS_PATH, jsonOf, mustList, type CommitList } from '../wire.js';
import { worldCommit } from '../world.js';

const ROUNDS = 5;
const REQUESTS = 150;
const PAGES = 300;
const FEW = COMMITS / 100;
const DEEP = COMMITS / 1_000 - 1;
const BATCH = 10_000;
const refs = Array.from({ length: 10_000 }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(5, '0')}`);

/** The approved repositories: 20 busy ones, 1,000 spread over the newest nine tenths of the store, or 1,000 that are all in its oldest tenth. */
const approvals = { 20: refs.slice(0, 20), 1000: refs.slice(0, 1_000), old: refs.slice(-1_000) } as const;
type Approval = keyof typeof approvals;

const timeOf = (serial: number): number => NOW - serial * 10_000;

export function figures(): Promise<readonly Figure[]> {
  return withMongod(async (client, uri) => {
    const few = await filledDatabase(client, `lists_${String(FEW)}`, (db) => fill(db, FEW));
    const many = await filledDatabase(client, `lists_${String(COMMITS)}`, (db) => fill(db, COMMITS));
    return [...(await listRows(uri, few, many, 20)), ...(await listRows(uri, few, many, 1000)), ...(await oldRows(uri, many))];
  });
}

/** The oldest tenth belongs to the last thousand repositories. Of the rest, one in forty belongs to the first twenty. */
async function fill(db: Db, count: number): Promise<void> {
  const random = new Random(11);
  const commitAt = (serial: number): Commit => {
    const isOld = serial >= 0.9 * count;
    const repository = isOld ? 9_000 + random.int(1_000) : serial % 40 === 0 ? random.int(20) : random.int(9_000);
    return { ...worldCommit(serial), repositoryRef: elementOf(refs, repository), committedAt: timeOf(serial) };
  };
  const repositories = refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef }));
  await insert(db, repositories);
  for (let start = 0; start < count; start += BATCH) {
    const commits = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => commitAt(start + index));
    await insert(db, commits);
  }
  await ensureIndexes(db);
}

/** The expected commits of a page, read with the driver and without Vitrine. @param skip the number of commits before the page */
async function storedShas(db: Db, approval: Approval, { to = NOW, skip = 0 } = {}): Promise<readonly string[]> {
  const filter = { repositoryRef: { $in: [...approvals[approval]] }, committedAt: { $lte: new Date(to) } };
  const hint: Record<string, 1 | -1> =
    approvals[approval].length > 200 ? { committedAt: -1, _id: 1, repositoryRef: 1 } : { repositoryRef: 1, committedAt: -1, _id: 1 };
  const found = db.collection('commits').find(filter, { sort: { committedAt: -1, _id: 1 }, skip, limit: 20, projection: { sha: 1 }, hint });
  return (await found.toArray()).map(({ sha }) => String(sha));
}

const serve = (uri: string, db: Db, approval: Approval) =>
  serveStore({ store: 'mongo', uri, database: db.databaseName, approved: approvals[approval] });

function request(url: string, shas: readonly string[]) {
  return [() => jsonOf<CommitList>(url), (list: CommitList) => mustList(url, list, shas)] as const;
}

async function listRows(uri: string, few: Db, many: Db, approval: Approval): Promise<readonly Figure[]> {
  const firstAndAgain = await firstAndAgainRows(uri, many, approval);
  const servers = { few: await serve(uri, few, approval), many: await serve(uri, many, approval) };
  const [small, large] = [`${servers.few.url}${COMMITS_PATH}`, `${servers.many.url}${COMMITS_PATH}`];
  const deep = `${large}?cursor=${await cursorAfter(large, DEEP * 20)}`;
  const median = (url: string, shas: readonly string[]) => async () => percentile(await timeEach(REQUESTS, ...request(url, shas)), 0.5);
  const contestants = {
    few: median(small, await storedShas(few, approval)),
    many: median(large, await storedShas(many, approval)),
    deep: median(deep, await storedShas(many, approval, { skip: DEEP * 20 })),
  };
  const contest = await new Contest<keyof typeof contestants>().run(contestants, ROUNDS);
  for (const server of Object.values(servers)) server.process.stop();
  const what = `list of 20 over HTTP, ${String(approval)} of 10,000 repositories approved`;
  return [
    atMost(`${what}, asked again: p50 with ${SIZE} against ${FEW.toLocaleString('en')} records`, contest.ratio('many', 'few'), 'times', 1.2),
    atMost(`the same: p50 of page ${(DEEP + 1).toLocaleString('en')} against page 1`, contest.ratio('deep', 'many'), 'times', 1.2),
    ...firstAndAgain,
  ];
}

/** The cursor behind this many records. A cursor works with any page size, so larger pages reach the position faster. */
async function cursorAfter(list: string, count: number): Promise<string> {
  let cursor = '';
  for (let left = count; left > 0; left -= 100) {
    const { meta } = await jsonOf<CommitList>(`${list}?limit=${String(Math.min(100, left))}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    if (meta.nextCursor === null) throw new Error(`there are only ${String(count - left)} records, or a few more`);
    cursor = meta.nextCursor;
  }
  return cursor;
}

/** Requests different pages once from a process that has served only other pages, and then the same pages again. */
async function firstAndAgainRows(uri: string, db: Db, approval: Approval): Promise<readonly Figure[]> {
  const { url, process: server } = await serve(uri, db, approval);
  // Each is far from the one before, so that caches hardly help.
  const times = Array.from({ length: 50 + PAGES }, (_, index) => timeOf(((index * 7_919) % (0.89 * COMMITS)) | 0));
  const pageAt = (to: number) => `${url}${COMMITS_PATH}?to=${new Date(to).toISOString()}`;
  for (const to of times.splice(0, 50)) await jsonOf(pageAt(to));
  const pages = await Promise.all(times.map(async (to) => request(pageAt(to), await storedShas(db, approval, { to }))));
  const ask = (index: number) => elementOf(pages, index)[0]();
  const askEach = () => timeOnce(PAGES, ask, (list, index) => elementOf(pages, index)[1](list));
  const [first, again] = [await askEach(), await askEach()];
  server.stop();
  return [
    atMost(`the same: ${String(PAGES)} different pages of ${SIZE} records, each asked for the first time: p95`, percentile(first, 0.95), 'ms', 20),
    atMost('the same pages, asked again: p95', percentile(again, 0.95), 'ms', 20),
  ];
}

async function oldRows(uri: string, db: Db): Promise<readonly Figure[]> {
  const [firsts, later]: [number[], number[]] = [[], []];
  const shas = await storedShas(db, 'old');
  // After the first process, the database has the pages in its cache.
  for (let process = 0; process <= 10; process++) {
    const { url, process: server } = await serve(uri, db, 'old');
    await jsonOf(`${url}/api/v1/repositories?limit=1`);
    const list = request(`${url}${COMMITS_PATH}`, shas);
    firsts.push(...(await timeOnce(1, ...list)));
    later.push(...(await timeEach(REQUESTS, ...list)));
    server.stop();
  }
  const what = `1,000 approved that are all older than 90 % of ${SIZE} records, asked of 10 new processes: the slowest first page`;
  return [atMost(what, Math.max(...firsts.slice(1)), 'ms', 80), atMost('the same: p95 afterwards', percentile(later, 0.95), 'ms', 20)];
}
