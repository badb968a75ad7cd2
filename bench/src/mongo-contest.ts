import autocannon, { type Request } from 'autocannon';
import type { Db } from 'mongodb';
import { atLeast, type Figure } from './measure.js';
import { storedShas } from './mongo-commits.js';
import { COMMITS, mustList, pagesByTime } from './mongo-pages.js';
import { serve, type Served } from './served.js';
import { mustBe } from './wrong-answer.js';

/** Two processes with the same code differ by a twentieth, because the compiler optimises them differently. So several pairs are measured. */
const PAIRS = 3;
const CONTESTS = 5;
const CONTEST = 1_000;
/** Requests before the measurement. The more code there is, the longer it takes until it is compiled. */
const WARMING = 3_000;
/** The load stops only at the end of a sample. */
const SAMPLE_MS = 20;
const APPROVAL = '20';

interface Pair<Item> {
  readonly vitrine: Item;
  readonly byHand: Item;
}

const NAMES = ['vitrine', 'byHand'] as const;

/** Compares Vitrine with a hand-written route, both under load: with a different page each time, and with one page. */
export async function byHandRows(uri: string, db: Db): Promise<readonly Figure[]> {
  const others = { vitrine: 0, byHand: 0 };
  const same = { vitrine: 0, byHand: 0 };
  for (let pair = 0; pair < PAIRS; pair++) {
    const servers = {
      vitrine: await serve('mongo-server.js', [uri, db.databaseName, APPROVAL, 'vitrine']),
      byHand: await serve('mongo-server.js', [uri, db.databaseName, APPROVAL, 'by-hand']),
    };
    await mustAgree(servers, db);
    await contest(servers, () => otherPages(), others);
    await contest(servers, () => () => COMMITS, same);
    for (const name of NAMES) servers[name].stop();
  }
  const what = 'other pages of that list all the time, against a hand-written Express route with the driver: requests/s';
  return [
    atLeast(what, others.byHand / others.vitrine, 'times', 0.9),
    atLeast('the same with the first page all the time', same.byHand / same.vitrine, 'times', 0.9),
  ];
}

function otherPages(): () => string {
  const next = pagesByTime();
  return () => next().path;
}

/** Checks that both return the stored data. */
async function mustAgree({ vitrine, byHand }: Pair<Served>, db: Db): Promise<void> {
  const next = pagesByTime();
  const dataOf = async (server: Served, path: string) => ((await server.get(path)) as { readonly data: unknown }).data;
  for (let count = 0; count < 50; count++) {
    const { path, to } = next();
    const data = await dataOf(vitrine, path);
    mustBe(`${path}, against the hand-written route`, data, await dataOf(byHand, path));
    mustList(path, await storedShas(db, APPROVAL, { to }))({ data });
  }
}

/** Adds the seconds of the servers' rounds. The servers alternate, and each continues with the page after its last round. */
async function contest(servers: Pair<Served>, pages: () => () => string, sums: { vitrine: number; byHand: number }): Promise<void> {
  const sequences = { vitrine: pages(), byHand: pages() };
  for (const name of NAMES) await secondsOf(servers[name], sequences[name], WARMING);
  for (let round = 0; round < CONTESTS; round++) for (const name of NAMES) sums[name] += await secondsOf(servers[name], sequences[name], CONTEST);
}

/** The seconds for a number of requests. It is a number and not a time, because the end of a time would cancel requests, and the server would handle disconnects. */
async function secondsOf({ url }: Served, page: () => string, amount: number): Promise<number> {
  const requests = [{ setupRequest: (request: Request) => ({ ...request, path: page() }) }];
  const { start, finish, non2xx, errors, mismatches } = await autocannon({
    url,
    connections: 16,
    amount,
    requests,
    sampleInt: SAMPLE_MS,
    verifyBody: isFullPage,
  });
  mustBe(`lists under load at ${url}`, { non2xx, errors, mismatches }, { non2xx: 0, errors: 0, mismatches: 0 });
  return (finish.getTime() - start.getTime()) / 1_000;
}

/** A cheap check, because it runs during the load. The content of the pages was checked before. */
function isFullPage(body: string): boolean {
  return body.split('"sha":').length === 21;
}
