import type { Db } from 'mongodb';
import { Contest, warmUp, type Sampler } from './contest.js';
import { atLeast, type Figure } from './measure.js';
import { storedShas } from './mongo-commits.js';
import { COMMITS, mustList, pagesByTime } from './mongo-pages.js';
import { serve, type Served } from './served.js';
import { wireAnswer } from './wire-answer.js';
import { pagesPerSecond, requestsPerSecond, requireWrk } from './wrk.js';
import { mustBe } from './wrong-answer.js';

/** Two processes with the same code differ by a twentieth, because the compiler optimises them differently. So several pairs are measured. */
const PAIRS = 3;
const ROUNDS = 5;
/** Requests before the measurement. The more code there is, the longer it takes until it is compiled. */
const WARMING = 3_000;
const SECONDS = 1;
/** More than a server can answer in that time. */
const MOST_PAGES = 20_000;
const CHECKED_PAGES = 50;
const APPROVAL = '20';

interface Pair<Item> {
  readonly vitrine: Item;
  readonly byHand: Item;
}

type Name = keyof Pair<unknown>;

/** Compares Vitrine with a hand-written route, both under load: with a different page each time, and with one page. */
export async function byHandRows(uri: string, db: Db): Promise<readonly Figure[]> {
  requireWrk();
  const others = new Contest<Name>();
  const same = new Contest<Name>();
  for (let pair = 0; pair < PAIRS; pair++) {
    const servers = {
      vitrine: await serve('mongo-server.js', [uri, db.databaseName, APPROVAL, 'vitrine']),
      byHand: await serve('mongo-server.js', [uri, db.databaseName, APPROVAL, 'by-hand']),
    };
    const bytes = await mustAgree(servers, db);
    await contest(others, servers, (name) => otherPages(servers[name], bytes[name]));
    await contest(same, servers, (name) => samePage(servers[name]));
    for (const server of Object.values(servers)) server.stop();
  }
  const what = 'other pages of that list all the time, against a hand-written Express route with the driver: requests/s';
  return [
    atLeast(what, others.ratio('vitrine', 'byHand') ?? Number.NaN, 'times', 0.9),
    atLeast('the same with the first page all the time', same.ratio('vitrine', 'byHand') ?? Number.NaN, 'times', 0.9),
  ];
}

/** Each sample continues with the page after the last one of the sample before. */
function otherPages({ url }: Served, answerBytes: number): Sampler {
  const next = pagesByTime();
  return () => {
    const values = Array.from({ length: MOST_PAGES }, () => next().path);
    return pagesPerSecond({ url, seconds: SECONDS, answerBytes }, { values, before: '', after: '' });
  };
}

function samePage({ url }: Served): Sampler {
  return async () => {
    const { bytes } = await wireAnswer(`${url}${COMMITS}`);
    return requestsPerSecond({ url: `${url}${COMMITS}`, seconds: SECONDS, answerBytes: bytes });
  };
}

/** Checks that both return the stored data. Returns the mean sizes of their responses. */
async function mustAgree({ vitrine, byHand }: Pair<Served>, db: Db): Promise<Pair<number>> {
  const next = pagesByTime();
  const sums = { vitrine: 0, byHand: 0 };
  for (let count = 0; count < CHECKED_PAGES; count++) {
    const { path, to } = next();
    const answers = { vitrine: await wireAnswer(`${vitrine.url}${path}`), byHand: await wireAnswer(`${byHand.url}${path}`) };
    const data = dataOf(answers.vitrine.body);
    mustBe(`${path}, against the hand-written route`, data, dataOf(answers.byHand.body));
    mustList(path, await storedShas(db, APPROVAL, { to }))({ data });
    sums.vitrine += answers.vitrine.bytes;
    sums.byHand += answers.byHand.bytes;
  }
  return { vitrine: sums.vitrine / CHECKED_PAGES, byHand: sums.byHand / CHECKED_PAGES };
}

function dataOf(body: Buffer): unknown {
  return (JSON.parse(body.toString()) as { readonly data: unknown }).data;
}

async function contest(rounds: Contest<Name>, servers: Pair<Served>, samplerOf: (name: Name) => Sampler): Promise<void> {
  const samplers = new Map((Object.keys(servers) as Name[]).map((name) => [name, samplerOf(name)]));
  await warmUp(samplers, { requests: WARMING, seconds: SECONDS });
  await rounds.run(samplers, ROUNDS);
}
