import { statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Contest, type Sampler } from './contest.js';
import { LIMITS, LISTED_SHAS, writeListStore } from './list-store.js';
import { atLeast, type Figure } from './measure.js';
import { LIST_PATH, serveModule } from './served.js';
import { spawnVitrine } from './vitrine-process.js';
import { wireAnswer, type WireAnswer } from './wire-answer.js';
import { requestsPerSecond } from './wrk.js';
import { mustBe } from './wrong-answer.js';

/** Two processes with the same code differ by a twentieth, because the compiler optimises them differently. So several are measured. */
const PROCESSES = 3;
const ROUNDS = 3;
const WARMING_ROUNDS = 1;
const SECONDS = 2;
/** A logged request is a line of JSON, which has more bytes than this. */
const SHORTEST_LINE = 100;

type Name = 'alone' | 'delivered' | 'raw' | 'express' | 'notModified' | 'gzip' | 'br';

/** A request whose answers are timed, and the answer that it must get. */
interface Contestant {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly right: WireAnswer;
}

/** The same list again and again, from the response cache. */
export async function cachedListFigures(folder: string): Promise<readonly Figure[]> {
  const alone = await writeListStore(join(folder, 'alone'), LIMITS.off);
  const delivered = await writeListStore(join(folder, 'delivered'), LIMITS.counted);
  const contest = new Contest<Name>();
  for (let count = 0; count < PROCESSES; count++) await contestOfNewProcesses(contest, { alone, delivered }, join(folder, `${String(count)}.log`));
  return rowsOf(contest);
}

async function contestOfNewProcesses(contest: Contest<Name>, configs: { readonly alone: string; readonly delivered: string }, log: string) {
  const alone = await spawnVitrine({ config: configs.alone });
  const delivered = await spawnVitrine({ config: configs.delivered, log });
  const stops = [alone.stop, delivered.stop];
  try {
    await Promise.all([alone.ready(), delivered.ready()]);
    const list = `${alone.url}${LIST_PATH}`;
    // From here on, both answer from the cache. Answers that are computed have more headers.
    await Promise.all([wireAnswer(list), wireAnswer(`${delivered.url}${LIST_PATH}`)]);
    const [raw, express] = [await serveModule('plain-server.js', ['raw', list]), await serveModule('plain-server.js', ['express', list])];
    stops.push(raw.stop, express.stop);
    const lists = { alone: list, delivered: `${delivered.url}${LIST_PATH}`, raw: `${raw.url}${LIST_PATH}`, express: `${express.url}${LIST_PATH}` };
    const contestants = await rightContestants(lists);
    const logged = { requests: 0 };
    const samplers = new Map([...contestants].map(([name, contestant]) => [name, samplerOf(contestant, name === 'delivered' ? logged : null)]));
    await new Contest<Name>().run(samplers, WARMING_ROUNDS);
    await contest.run(samplers, ROUNDS);
    mustBe('size of the request log', statSync(log).size > SHORTEST_LINE * logged.requests, true);
  } finally {
    for (const stop of stops) stop();
  }
}

/** @param counted counts the requests */
function samplerOf({ url, headers = {}, right }: Contestant, counted: { requests: number } | null): Sampler {
  return async () => {
    const rate = await requestsPerSecond({ url, headers, seconds: SECONDS, answerBytes: right.bytes });
    mustBe(`${url} after the load`, contentOf(await wireAnswer(url, headers)), contentOf(right));
    if (counted !== null) counted.requests += rate * SECONDS;
    return rate;
  };
}

/** Checks the answer of each contestant. */
async function rightContestants(lists: Readonly<Record<'alone' | 'delivered' | 'raw' | 'express', string>>): Promise<Map<Name, Contestant>> {
  const alone = await rightList(lists.alone);
  const contestants = new Map<Name, Contestant>([['alone', { url: lists.alone, right: alone }]]);
  for (const name of ['delivered', 'raw', 'express'] as const) {
    const right = await rightList(lists[name]);
    mustBe(`body of ${name}`, right.body.toString(), alone.body.toString());
    if (name !== 'express') mustBe(`names of the headers of ${name}`, headerNames(right), headerNames(alone));
    contestants.set(name, { url: lists[name], right });
  }
  const known = { 'If-None-Match': String(alone.header('etag')) };
  const notModified = await wireAnswer(lists.alone, known);
  mustBe('status for a known ETag', [notModified.status, notModified.body.length], [304, 0]);
  contestants.set('notModified', { url: lists.alone, headers: known, right: notModified });
  for (const [name, decoded] of [['gzip', gunzipSync] as const, ['br', brotliDecompressSync] as const]) {
    const headers = { 'Accept-Encoding': name };
    const right = await wireAnswer(lists.alone, headers);
    mustBe('coding of the body', right.header('content-encoding'), name);
    mustBe(`${name} body`, decoded(right.body).toString(), alone.body.toString());
    contestants.set(name, { url: lists.alone, headers, right });
  }
  return contestants;
}

async function rightList(url: string): Promise<WireAnswer> {
  const answer = await wireAnswer(url);
  const { data } = JSON.parse(answer.body.toString()) as { readonly data: readonly { readonly sha: string }[] };
  mustBe(
    `list of ${url}`,
    data.map(({ sha }) => sha),
    LISTED_SHAS,
  );
  return answer;
}

function headerNames({ rawHeaders }: WireAnswer): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 0).toSorted();
}

/** What must stay the same in each answer. */
function contentOf({ status, body, header }: WireAnswer) {
  return { status, etag: header('etag'), encoding: header('content-encoding'), body: body.toString('base64') };
}

function rowsOf(contest: Contest<Name>): readonly Figure[] {
  const row = (what: string, name: Name, against: Name, bound: number): Figure =>
    atLeast(what, contest.ratio(name, against) ?? Number.NaN, 'times', bound);
  const list = 'the same list of 20 commits (22 KB), asked again and again over 16 open connections';
  return [
    row(`${list}, without limits and request log, against node:http alone that sends the same headers and bytes: requests/s`, 'alone', 'raw', 0.75),
    row('the same with limits and request log, as delivered', 'delivered', 'raw', 0.5),
    row('the same as delivered, against plain Express 5 with res.json of the stored list', 'delivered', 'express', 2),
    row('304 for a known ETag, against the list in full: requests/s', 'notModified', 'alone', 1.25),
    row('the list compressed with gzip, against the list in full: requests/s', 'gzip', 'alone', 1),
    row('the list compressed with br, against the list in full: requests/s', 'br', 'alone', 1),
  ];
}
