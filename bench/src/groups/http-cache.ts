import { mkdir, writeFile } from 'node:fs/promises';
import { readFileSync, statSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { nameOfRef } from '@vitrine/core';
import { atLeast, atMost, Contest, mustBe, percentile, timeEach, withFolder, type Figure } from '../measure.js';
import { serveModule, serveVitrine } from '../processes.js';
import { clock, putCommits } from '../stores.js';
import { answerOn, COMMITS_PATH, mustList, wireAnswer, type CommitList, type WireAnswer } from '../wire.js';
import { busyRefs, newestShas } from '../world.js';
import { requestsPerSecond, requireWrk } from '../wrk.js';

const STORED = 1_000;
const LISTED = newestShas(busyRefs, 20);
/** Two processes with the same code differ by a twentieth, because the compiler optimises them differently. So several are measured. */
const PROCESSES = 3;
const ROUNDS = 3;
const SECONDS = 2;
/** A logged request is a line of JSON, which has more bytes than this. */
const SHORTEST_LINE = 100;
const CONNECTIONS = 10_000;
/** Few enough for the backlog of the server. */
const AT_A_TIME = 50;
/** The server keeps some descriptors for itself, and closes idle connections when four fifths of the others are in use. */
const NEEDED_DESCRIPTORS = 13_200;
const PROBES = 1_000;
const SETTLING_MS = 1_000;

/** Requests from this machine are not limited by default. With `delivered` they are, by limits that no benchmark reaches. */
const LIMITS = {
  alone: 'limits: false\n',
  delivered: 'limits: { requestsPerMinute: 1000000000, searchesPerMinute: 1000000000, loopback: true }\n',
} as const;

type Name = 'alone' | 'delivered' | 'raw' | 'express' | 'notModified' | 'gzip' | 'br';

interface Contestant {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly right: WireAnswer;
}

/** The server under load: the same list again and again from the response cache, and connections that only wait. */
export async function figures(): Promise<readonly Figure[]> {
  requireWrk();
  return withFolder(async (folder) => {
    const configs = { alone: await configWith(folder, 'alone'), delivered: await configWith(folder, 'delivered') };
    const contest = new Contest<Name>();
    for (let count = 0; count < PROCESSES; count++) await contestOfNewProcesses(contest, configs, join(folder, `${String(count)}.log`));
    return [...rowsOf(contest), ...(await idleConnectionRows(configs.alone, join(folder, 'idle.log')))];
  });
}

async function configWith(folder: string, name: keyof typeof LIMITS): Promise<string> {
  const path = join(folder, name, 'store');
  await mkdir(join(folder, name));
  const store = await openSqliteStore({ clock, path });
  await putCommits(store, STORED);
  await store.close();
  const config = join(folder, name, 'vitrine.yaml');
  const approved = busyRefs.map((ref) => `  - ${nameOfRef(ref)}\n`).join('');
  // Both servers send the same bytes, although their ports differ.
  await writeFile(config, `publicUrl: https://vitrine.example\nstore:\n  path: ${JSON.stringify(path)}\n${LIMITS[name]}approved:\n${approved}`);
  return config;
}

async function contestOfNewProcesses(contest: Contest<Name>, configs: Readonly<Record<keyof typeof LIMITS, string>>, log: string) {
  const servers = [await serveVitrine({ config: configs.alone }), await serveVitrine({ config: configs.delivered, log })];
  const [alone = '', delivered = ''] = servers.map(({ url }) => `${url}${COMMITS_PATH}`);
  // From here on, both answer from the cache. Answers that are computed have more headers.
  await Promise.all([wireAnswer(alone), wireAnswer(delivered)]);
  for (const kind of ['raw', 'express']) servers.push(await serveModule('plain-server.js', [kind, alone]));
  const [raw = '', express = ''] = servers.slice(2).map(({ url }) => `${url}${COMMITS_PATH}`);
  let logged = 0;
  const contestants = await rightContestants({ alone, delivered, raw, express });
  const rateOf = async (name: Name): Promise<number> => {
    const { url, headers = {}, right } = contestants[name];
    const rate = await requestsPerSecond({ url, headers, seconds: SECONDS, answerBytes: right.bytes });
    mustBe(`${url} after the load`, contentOf(await wireAnswer(url, headers)), contentOf(right));
    if (name === 'delivered') logged += rate * SECONDS;
    return rate;
  };
  const names = Object.keys(contestants) as Name[];
  await contest.run(Object.fromEntries(names.map((name) => [name, () => rateOf(name)])) as Record<Name, () => Promise<number>>, ROUNDS);
  mustBe('size of the request log', statSync(log).size > SHORTEST_LINE * logged, true);
  for (const server of servers) server.process.stop();
}

async function rightContestants(lists: Readonly<Record<'alone' | 'delivered' | 'raw' | 'express', string>>): Promise<Record<Name, Contestant>> {
  const alone = await rightList(lists.alone);
  const same = async (name: keyof typeof lists): Promise<Contestant> => {
    const right = await rightList(lists[name]);
    mustBe(`body of ${name}`, right.body.toString(), alone.body.toString());
    return { url: lists[name], right };
  };
  const coded = async (name: string, decoded: (body: Buffer) => Buffer): Promise<Contestant> => {
    const headers = { 'Accept-Encoding': name };
    const right = await wireAnswer(lists.alone, headers);
    mustBe(`coding and body of ${name}`, [right.header('content-encoding'), decoded(right.body).toString()], [name, alone.body.toString()]);
    return { url: lists.alone, headers, right };
  };
  const raw = await same('raw');
  mustBe('names of the headers of raw', headerNames(raw.right), headerNames(alone));
  const headers = { 'If-None-Match': String(alone.header('etag')) };
  const right = await wireAnswer(lists.alone, headers);
  mustBe('status for a known ETag', [right.status, right.body.length], [304, 0]);
  const notModified = { url: lists.alone, headers, right };
  const [delivered, express] = [await same('delivered'), await same('express')];
  const [gzip, br] = [await coded('gzip', gunzipSync), await coded('br', brotliDecompressSync)];
  return { alone: { url: lists.alone, right: alone }, delivered, raw, express, notModified, gzip, br };
}

async function rightList(url: string): Promise<WireAnswer> {
  const answer = await wireAnswer(url);
  mustList(url, JSON.parse(answer.body.toString()) as CommitList, LISTED);
  return answer;
}

/** Without `Age`, which an answer has from its second second on. */
function headerNames({ rawHeaders }: WireAnswer): readonly string[] {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name !== 'Age').toSorted();
}

/** What must stay the same in each answer. */
function contentOf({ status, body, header }: WireAnswer) {
  return { status, etag: header('etag'), encoding: header('content-encoding'), body: body.toString('base64') };
}

function rowsOf(contest: Contest<Name>): readonly Figure[] {
  const row = (what: string, name: Name, against: Name, bound: number): Figure => atLeast(what, contest.ratio(name, against), 'times', bound);
  const list = 'the same list of 20 commits (28 KB), asked again and again over 16 open connections';
  return [
    row(`${list}, without limits and request log, against node:http alone that sends the same headers and bytes: requests/s`, 'alone', 'raw', 0.75),
    row('the same with limits and request log, as delivered', 'delivered', 'raw', 0.5),
    row('the same as delivered, against plain Express 5 with res.json of the stored list', 'delivered', 'express', 2),
    row('304 for a known ETag, against the list in full: requests/s', 'notModified', 'alone', 1.25),
    row('the list compressed with gzip, against the list in full: requests/s', 'gzip', 'alone', 1),
    row('the list compressed with br, against the list in full: requests/s', 'br', 'alone', 1),
  ];
}

/** Many clients that keep their connection open after a response, as browsers and proxies do. */
async function idleConnectionRows(config: string, log: string): Promise<readonly Figure[]> {
  const memory = '10,000 open connections that are idle after one list each: memory that they add';
  const probing = 'the same: p99 of 1,000 probes of /livez, each on a new connection';
  const limit = /^Max open files +(\S+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  if (limit !== 'unlimited' && Number(limit) < NEEDED_DESCRIPTORS) {
    const missing = `only ${limit} files may be open; set "ulimit -n ${String(NEEDED_DESCRIPTORS)}" or more`;
    const row = (what: string, reach: string): Figure => ({ what, value: null, unit: '', reach, holds: false, missing });
    return [row(memory, 'at most 120 MB'), row(probing, 'at most 20 ms')];
  }
  const { url, process: server } = await serveVitrine({ config, log });
  const list = `${url}${COMMITS_PATH}`;
  // The process has its full heap and compiled code before, so the growth belongs to the connections.
  await requestsPerSecond({ url: list, seconds: 3, answerBytes: (await rightList(list)).bytes });
  await sleep(SETTLING_MS);
  const [bytes, opened] = [server.residentBytes(), server.descriptors()];
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true }));
  await openEach([...agents], list);
  await sleep(SETTLING_MS);
  const resident = [server.residentBytes()];
  const probe = () => wireAnswer(`${url}/livez`);
  const samples = await timeEach(PROBES, probe, ({ status, body }) => mustBe('probe of /livez', [status, body.length > 0], [200, true]));
  resident.push(server.residentBytes());
  mustBe('open connections at the end', server.descriptors() - opened >= CONNECTIONS, true);
  for (const agent of agents) agent.destroy();
  server.stop();
  return [atMost(memory, (Math.max(...resident) - bytes) / 1e6, 'MB', 120), atMost(probing, percentile(samples, 0.99), 'ms', 20)];
}

async function openEach(waiting: Agent[], url: string): Promise<void> {
  const open = async (): Promise<void> => {
    for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
      const { body } = await answerOn(agent, url);
      mustList(url, JSON.parse(body.toString()) as CommitList, LISTED);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, open));
}
