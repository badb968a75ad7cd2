import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { atLeast } from './measure.mjs';

const SECONDS = 5;
const ROUNDS = 3;

async function serve(kind) {
  const child = fork(fileURLToPath(new URL('http-server.mjs', import.meta.url)), [kind]);
  const [{ port }] = await once(child, 'message');
  return { url: `http://127.0.0.1:${String(port)}/api/v1/development/commits`, stop: () => child.kill('SIGKILL') };
}

async function requestsPerSecond(url) {
  const { requests, non2xx, errors } = await autocannon({ url, connections: 16, duration: SECONDS });
  if (non2xx + errors > 0) throw new Error(`${String(non2xx)} answers other than 2xx, ${String(errors)} errors`);
  return requests.average;
}

/** Both servers side by side, asked in turn, so that a slow moment of the machine slows both. */
export async function httpFigures() {
  const [vitrine, byHand] = [await serve('vitrine'), await serve('by-hand')];
  try {
    await requestsPerSecond(vitrine.url);
    await requestsPerSecond(byHand.url);
    const ratios = [];
    for (let round = 0; round < ROUNDS; round++) ratios.push((await requestsPerSecond(vitrine.url)) / (await requestsPerSecond(byHand.url)));
    const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    return [atLeast('uncached list of 20 commits over HTTP, against a hand-written handler that sends the same JSON', median, 'times', 0.6)];
  } finally {
    vitrine.stop();
    byHand.stop();
  }
}
