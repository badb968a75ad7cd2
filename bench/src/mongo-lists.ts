import type { Db } from 'mongodb';
import { elementOf } from './element-of.js';
import { atMost, percentile, timeEach, timeOnce, type Figure } from './measure.js';
import { approvals, fillCommits, storedShas } from './mongo-commits.js';
import { benchMongod, filled } from './mongod.js';
import { COMMITS, mustList, pagesByTime } from './mongo-pages.js';
import { serve, type Served } from './served.js';

const ROUNDS = 5;
const REQUESTS = 150;
const PAGES = 300;
const FEW = 10_000;
const MANY = 1_000_000;

/** Starts a server on the database of a benchmark, with the list of repositories that it shows. */
function serveDatabase(uri: string, db: Db, approval: string): Promise<Served> {
  return serve({ store: 'mongo', uri, database: db.databaseName, approved: approvals[approval] ?? [] });
}

/** The cursor of a page of 20 records. A cursor works with any page size, so larger pages reach the position faster. */
async function cursorOfPage(server: Served, number: number): Promise<string> {
  let cursor: string | null = null;
  let records = 0;
  for (let left = (number - 1) * 20; left > 0; left -= 100) {
    const path: string = `${COMMITS}?limit=${String(Math.min(100, left))}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { data, meta } = (await server.get(path)) as { readonly data: readonly unknown[]; readonly meta: { readonly nextCursor: string | null } };
    records += data.length;
    if (meta.nextCursor === null) throw new Error(`there are only ${String(records)} records`);
    cursor = meta.nextCursor;
  }
  return cursor ?? '';
}

/** A path that is requested again and again, and the expected commits. */
interface Asked {
  readonly server: Served;
  readonly path: string;
  readonly shas: readonly string[];
}

/** The medians of several requests. They alternate, so that a slow moment of the machine affects all of them. */
async function inTurn<Name extends string>(asked: Readonly<Record<Name, Asked>>): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(asked) as Name[];
  const rounds = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, samples] of rounds) {
      const { server, path, shas } = asked[name];
      samples.push(percentile(await timeEach(REQUESTS, () => server.get(path), mustList(path, shas)), 0.5));
    }
  return Object.fromEntries([...rounds].map(([name, medians]) => [name, percentile(medians, 0.5)])) as Record<Name, number>;
}

async function listRows(uri: string, few: Db, many: Db, approval: string): Promise<readonly Figure[]> {
  const firstAndAgain = await firstAndAgainRows(uri, many, approval);
  const servers = { few: await serveDatabase(uri, few, approval), many: await serveDatabase(uri, many, approval) };
  const cursor = await cursorOfPage(servers.many, 1_000);
  const p50 = await inTurn({
    few: { server: servers.few, path: COMMITS, shas: await storedShas(few, approval) },
    many: { server: servers.many, path: COMMITS, shas: await storedShas(many, approval) },
    deep: { server: servers.many, path: `${COMMITS}?cursor=${cursor}`, shas: await storedShas(many, approval, { skip: 999 * 20 }) },
  });
  for (const server of Object.values(servers)) server.stop();
  const what = `list of 20 over HTTP, ${approval} of 10,000 repositories approved`;
  return [
    atMost(`${what}, asked again: p50 with 1,000,000 against 10,000 records`, p50.many / p50.few, 'times', 1.2),
    atMost('the same: p50 of page 1,000 against page 1', p50.deep / p50.many, 'times', 1.2),
    ...firstAndAgain,
  ];
}

/** Requests different pages once from a process that has served only other pages, and then the same pages again. */
async function firstAndAgainRows(uri: string, db: Db, approval: string): Promise<readonly Figure[]> {
  const server = await serveDatabase(uri, db, approval);
  const instants = pagesByTime();
  const warming = Array.from({ length: 50 }, instants);
  const pages = await Promise.all(
    Array.from({ length: PAGES }, instants).map(async ({ path, to }) => ({ path, shas: await storedShas(db, approval, { to }) })),
  );
  for (const { path } of warming) await server.get(path);
  const ask = (index: number) => server.get(elementOf(pages, index).path);
  const check = (body: unknown, index: number) => {
    const { path, shas } = elementOf(pages, index);
    mustList(path, shas)(body);
  };
  const firstTime = await timeOnce(PAGES, ask, check);
  const again = await timeOnce(PAGES, ask, check);
  server.stop();
  return [
    atMost(
      `the same: ${String(PAGES)} different pages of 1,000,000 records, each asked for the first time: p95`,
      percentile(firstTime, 0.95),
      'ms',
      20,
    ),
    atMost('the same pages, asked again: p95', percentile(again, 0.95), 'ms', 20),
  ];
}

async function oldRows(uri: string, db: Db): Promise<readonly Figure[]> {
  const firsts: number[] = [];
  const later: number[] = [];
  const check = mustList(COMMITS, await storedShas(db, 'old'));
  // After the first process, the database has the pages in its cache.
  for (let process = 0; process <= 10; process++) {
    const server = await serveDatabase(uri, db, 'old');
    await server.get('/api/v1/repositories?limit=1');
    firsts.push(...(await timeOnce(1, () => server.get(COMMITS), check)));
    later.push(...(await timeEach(REQUESTS, () => server.get(COMMITS), check)));
    server.stop();
  }
  return [
    atMost(
      '1,000 approved that are all older than 90 % of 1,000,000 records, asked of 10 new processes: the slowest first page',
      Math.max(...firsts.slice(1)),
      'ms',
      80,
    ),
    atMost('the same: p95 afterwards', percentile(later, 0.95), 'ms', 20),
  ];
}

export async function mongoListFigures(): Promise<readonly Figure[]> {
  const { client, uri, stop } = await benchMongod();
  try {
    const few = await filled(client, 'lists_few', (db) => fillCommits(db, FEW));
    const many = await filled(client, 'lists_many', (db) => fillCommits(db, MANY));
    return [...(await listRows(uri, few, many, '20')), ...(await listRows(uri, few, many, '1000')), ...(await oldRows(uri, many))];
  } finally {
    await stop();
  }
}
