import { Contest, type Sampler } from './contest.js';
import { DAY } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { atLeast, type Figure } from './measure.js';
import { shaOf } from './memory-world.js';
import { serve, type ServedStore } from './served.js';
import { repositoryRecords } from './sqlite-world.js';
import { wireAnswer } from './wire-answer.js';
import { pagesPerSecond, requireWrk } from './wrk.js';
import { mustBe } from './wrong-answer.js';

const PATH = '/api/v1/development/commits?from=';
/** Older than every commit, so that each of these times selects the same commits. */
const OLDEST = NOW - 100 * DAY;
/** More than a server can answer in the time of a sample. */
const MOST_TIMES = 100_000;
const SECONDS = 5;
const ROUNDS = 3;
const WARMING_ROUNDS = 1;

type Name = 'vitrine' | 'byHand';

/** The size of the server's response, after a check that it contains the newest stored commits. */
async function rightBytes(url: string): Promise<number> {
  const { body, bytes } = await wireAnswer(url);
  const { data } = JSON.parse(body.toString()) as { readonly data: readonly { readonly sha: string }[] };
  mustBe(
    'list of commits over HTTP',
    data.map(({ sha }) => sha),
    Array.from({ length: 20 }, (_, serial) => shaOf(serial)),
  );
  return bytes;
}

/** No address is requested twice, so that no response comes from a cache. */
async function samplerOf(url: string): Promise<Sampler> {
  let count = 0;
  const someTime = () => new Date(OLDEST - count++).toISOString();
  const answerBytes = await rightBytes(`${url}${PATH}${someTime()}`);
  return () =>
    pagesPerSecond({ url, seconds: SECONDS, answerBytes }, { values: Array.from({ length: MOST_TIMES }, someTime), before: PATH, after: '' });
}

export async function httpFigures(): Promise<readonly Figure[]> {
  requireWrk();
  const store = (byHand: boolean): ServedStore => ({
    store: 'memory',
    byHand,
    approved: repositoryRecords.map(({ repositoryRef }) => repositoryRef),
  });
  const servers = [await serve(store(false)), await serve(store(true))] as const;
  try {
    const samplers = new Map([['vitrine', await samplerOf(servers[0].url)] as const, ['byHand', await samplerOf(servers[1].url)] as const]);
    await new Contest<Name>().run(samplers, WARMING_ROUNDS);
    const contest = new Contest<Name>();
    await contest.run(samplers, ROUNDS);
    const what =
      'uncached list of 20 commits over HTTP from memory, without the time of a store, against a hand-written handler that sends the same JSON';
    return [atLeast(what, contest.ratio('vitrine', 'byHand') ?? Number.NaN, 'times', 0.5)];
  } finally {
    for (const { stop } of servers) stop();
  }
}
