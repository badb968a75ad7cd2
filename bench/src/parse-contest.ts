import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { Contest, warmUp, type Sampler } from './contest.js';
import { elementOf } from './element-of.js';
import { LIMITS, LIST_PATH } from './list-store.js';
import { atLeast, notMeasured, type Figure } from './measure.js';
import { approvals, fillCommits } from './mongo-commits.js';
import { benchMongod, filled } from './mongod.js';
import { copyForParse, hasSameIndex } from './parse-documents.js';
import { installPeer } from './peers.js';
import { serve } from './served.js';
import { spawnVitrine } from './vitrine-process.js';
import { wireAnswer } from './wire-answer.js';
import { pagesPerSecond } from './wrk.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 500_000;
const APPROVAL = '20';
const PAGES = 500;
const PAGE = 20;
/** Different times that select the same page. Each is requested at most once, so that no response can come from a cache. */
const TIMES = 40;
const PROCESSES = 2;
const ROUNDS = 6;
const SECONDS = 2;
/** Requests before the measurement. The more code there is, the longer it takes until it is compiled. */
const WARMING = 4_000;
const APP_ID = 'vitrine-bench';

const APPROVED = approvals[APPROVAL] ?? [];
const WHAT = `lists of 20 from MongoDB, ${String(PAGES)} different pages in turn, each time with another URL, so that no answer comes from the cache (decoded commits do), against Parse Server (a class with a pointer and include): requests/s`;
const BOUND = 2.3;

/** The newest time of a page, and its commits. */
interface Page {
  readonly to: Date;
  readonly shas: readonly string[];
}

type Name = 'vitrine' | 'parse';

/** A server, and its path before and after the newest time of a page. */
interface Contestant {
  readonly url: string;
  readonly before: string;
  readonly after: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The shas of a response, after a check of its repositories. */
  readonly shasOf: (body: unknown) => readonly string[];
}

/** Vitrine against Parse Server on the same server with the same documents. If Parse Server cannot be installed, the row is not measured. */
export async function parseServerFigures(folder: string): Promise<readonly Figure[]> {
  let peer;
  try {
    peer = await installPeer('parse-server');
  } catch (error) {
    const reason = `Parse Server cannot be installed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
    process.stderr.write(`NOT MEASURED: ${WHAT}. ${reason}\n`);
    return [notMeasured(WHAT, reason, `at least ${String(BOUND)} times`)];
  }
  const { client, uri, stop } = await benchMongod();
  try {
    const own = await filled(client, 'lists_half_million', (db) => fillCommits(db, COMMITS));
    const copy = await filled(client, 'parse_half_million', (db) => copyForParse(own, db));
    return [await contestRow(folder, { peer, uri, own, copy, pages: await pagesOf(own) })];
  } finally {
    await stop();
  }
}

interface World {
  readonly peer: string;
  readonly uri: string;
  readonly own: Db;
  readonly copy: Db;
  readonly pages: readonly Page[];
}

async function contestRow(folder: string, { peer, uri, own, copy, pages }: World): Promise<Figure> {
  const uriOf = (db: Db) => uri.replace('/?', `/${db.databaseName}?`);
  const config = join(folder, 'mongodb.yaml');
  await writeFile(config, `store: mongodb\n${LIMITS.off}approved:\n${APPROVED.map((ref) => `  - ${ref}\n`).join('')}`);
  const contest = new Contest<Name>();
  for (let count = 0; count < PROCESSES; count++) {
    const vitrine = await spawnVitrine({ config, mongoUri: uriOf(own) });
    const parse = await serve('parse-server.js', [peer, uriOf(copy), APP_ID]);
    try {
      await vitrine.ready();
      mustBe('the index of Parse Server exists', await hasSameIndex(copy), true);
      const samplers = new Map([
        ['vitrine', await samplerOf(ofVitrine(vitrine.url), pages)] as const,
        ['parse', await samplerOf(ofParse(parse.url), pages)] as const,
      ]);
      await warmUp(samplers, { requests: WARMING, seconds: SECONDS });
      await contest.run(samplers, ROUNDS);
    } finally {
      vitrine.stop();
      parse.stop();
    }
  }
  return atLeast(WHAT, contest.ratio('vitrine', 'parse') ?? Number.NaN, 'times', BOUND);
}

/** Every 20 commits of the approved repositories are a page. The commits are read with the driver and without Vitrine. */
async function pagesOf(db: Db): Promise<readonly Page[]> {
  const commits = db.collection<{ readonly sha: string; readonly committedAt: Date }>('commits');
  const options = { sort: { committedAt: -1, _id: 1 }, limit: PAGES * PAGE, projection: { sha: 1, committedAt: 1 } } as const;
  const found = await commits.find({ repositoryRef: { $in: APPROVED } }, options).toArray();
  mustBe('stored commits of the approved repositories', found.length, PAGES * PAGE);
  return Array.from({ length: PAGES }, (_, index) => {
    const shown = found.slice(index * PAGE, (index + 1) * PAGE);
    return { to: elementOf(shown, 0).committedAt, shas: shown.map(({ sha }) => sha) };
  });
}

function ofVitrine(url: string): Contestant {
  interface Body {
    readonly data: readonly { readonly sha: string; readonly repository: { readonly fullName: string } }[];
  }
  const shasOf = (body: unknown) => (body as Body).data.map(({ sha, repository }) => shaWithin(sha, repository.fullName));
  return { url, before: `${LIST_PATH}?to=`, after: '', headers: {}, shasOf };
}

function ofParse(url: string): Contestant {
  interface Body {
    readonly results: readonly { readonly sha: string; readonly repository: { readonly fullName: string } }[];
  }
  const shasOf = (body: unknown) => (body as Body).results.map(({ sha, repository }) => shaWithin(sha, repository.fullName));
  const where = JSON.stringify({ repositoryRef: { $in: APPROVED }, committedAt: { $lte: { __type: 'Date', iso: '' } } });
  const [before = '', after = ''] = where.split('"iso":""').map(encodeURIComponent);
  const path = `/classes/Commit?limit=${String(PAGE)}&order=-committedAt&include=repository&where=${before}%22iso%22%3A%22`;
  return { url, before: path, after: `%22${after}`, headers: { 'X-Parse-Application-Id': APP_ID }, shasOf };
}

function shaWithin(sha: string, fullName: string): string {
  mustBe(`repository of ${sha}`, APPROVED.includes(fullName), true);
  return sha;
}

/** Checks every page. Then each sample requests the pages in turn, with times that nobody has requested before. */
async function samplerOf({ url, before, after, headers, shasOf }: Contestant, pages: readonly Page[]): Promise<Sampler> {
  let bytes = 0;
  for (const { to, shas } of pages) {
    const answer = await wireAnswer(`${url}${before}${to.toISOString()}${after}`, headers);
    mustBe(`page of ${url} from ${to.toISOString()}`, shasOf(JSON.parse(answer.body.toString())), shas);
    bytes += answer.bytes;
  }
  let samples = 0;
  return async () => {
    const first = 1 + samples++ * TIMES;
    const values = Array.from({ length: TIMES }, (_, index) => pages.map(({ to }) => new Date(to.getTime() + first + index).toISOString())).flat();
    return pagesPerSecond({ url, headers, seconds: SECONDS, answerBytes: bytes / pages.length }, { values, before, after });
  };
}
