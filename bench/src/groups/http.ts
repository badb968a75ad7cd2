import { DAY } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { atLeast, Contest, type Figure } from '../measure.js';
import { serveModule, type Served } from '../processes.js';
import { serveStore } from '../stores.js';
import { COMMITS_PATH, mustList, wireAnswer, type CommitList } from '../wire.js';
import { repositoryRecords, shaOf } from '../world.js';
import { requestsPerSecond, requireWrk } from '../wrk.js';

const LISTED = Array.from({ length: 20 }, (_, serial) => shaOf(serial));
const SECONDS = 5;
const ROUNDS = 3;

/** No address is requested twice, so that no response comes from a cache. All times are before the oldest commit, so each selects the same commits. */
async function contestant({ url }: Served): Promise<() => Promise<number>> {
  const list = `${url}${COMMITS_PATH}`;
  const { body, bytes } = await wireAnswer(`${list}?from=${new Date(NOW - 99 * DAY).toISOString().replace('.000Z', 'Z')}`);
  mustList(list, JSON.parse(body.toString()) as CommitList, LISTED);
  let before = NOW - 100 * DAY;
  return () => {
    before -= DAY;
    return requestsPerSecond({ url: list, seconds: SECONDS, answerBytes: bytes, before });
  };
}

export async function figures(): Promise<readonly Figure[]> {
  requireWrk();
  const vitrine = await serveStore({ store: 'memory', approved: repositoryRecords.map(({ repositoryRef }) => repositoryRef) });
  const byHand = await serveModule('plain-server.js', ['express', `${vitrine.url}${COMMITS_PATH}`]);
  const contest = await new Contest().run({ vitrine: await contestant(vitrine), byHand: await contestant(byHand) }, ROUNDS);
  const what =
    'uncached list of 20 commits over HTTP from memory, without the time of a store, against a hand-written handler that sends the same JSON';
  return [atLeast(what, contest.ratio('vitrine', 'byHand'), 'times', 0.5)];
}
