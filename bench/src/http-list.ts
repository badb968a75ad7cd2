import autocannon from 'autocannon';
import { atLeast, percentile, type Figure } from './measure.js';
import { shaOf } from './memory-world.js';
import { serve } from './served.js';
import { mustBe } from './wrong-answer.js';

const PATH = '/api/v1/development/commits';
const SECONDS = 5;
const ROUNDS = 3;

async function requestsPerSecond(url: string, expectBody: string): Promise<number> {
  const { requests, non2xx, errors, mismatches } = await autocannon({ url, connections: 16, duration: SECONDS, expectBody });
  mustBe(`list of commits under load at ${url}`, { non2xx, errors, mismatches }, { non2xx: 0, errors: 0, mismatches: 0 });
  return requests.average;
}

/** The response of the server, after a check that it contains the newest stored commits. */
async function rightBody(url: string): Promise<string> {
  const body = await (await fetch(url)).text();
  const { data } = JSON.parse(body) as { readonly data: readonly { readonly sha: string }[] };
  mustBe(
    'list of commits over HTTP',
    data.map(({ sha }) => sha),
    Array.from({ length: 20 }, (_, serial) => shaOf(serial)),
  );
  return body;
}

/** Measures both servers alternately, so that a slow moment of the machine affects both. */
export async function httpFigures(): Promise<readonly Figure[]> {
  const [vitrine, byHand] = [await serve('http-server.js', ['vitrine']), await serve('http-server.js', ['by-hand'])];
  try {
    const urls = { vitrine: `${vitrine.url}${PATH}`, byHand: `${byHand.url}${PATH}` };
    const bodies = { vitrine: await rightBody(urls.vitrine), byHand: await rightBody(urls.byHand) };
    const round = async () => (await requestsPerSecond(urls.vitrine, bodies.vitrine)) / (await requestsPerSecond(urls.byHand, bodies.byHand));
    await round();
    const ratios: number[] = [];
    for (let count = 0; count < ROUNDS; count++) ratios.push(await round());
    return [
      atLeast(
        'uncached list of 20 commits over HTTP, against a hand-written handler that sends the same JSON',
        percentile(ratios, 0.5),
        'times',
        0.6,
      ),
    ];
  } finally {
    vitrine.stop();
    byHand.stop();
  }
}
