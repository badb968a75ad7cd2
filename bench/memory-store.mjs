import * as core from '../packages/core/dist/index.js';
import { aCheck, aCommit, aRepositoryRecord, aService, NOW, Random } from '../packages/core/dist/testing/index.js';
import { openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { atMost, percentile, timeEach } from './measure.mjs';

const COMMITS = 100_000;
const REPOSITORIES = 50;
export const refs = Array.from({ length: REPOSITORIES }, (_, index) => `team/repository-${String(index).padStart(2, '0')}`);
const approved = core.Allowlist.of(...refs.filter((_, index) => index % 2 === 0)).approved();
const context = { approved, signal: new AbortController().signal };
const clock = { now: () => NOW };

/** Words in about the frequencies of natural text. */
const random = new Random(7);
const syllables = ['ca', 'ro', 'mi', 'ten', 'lo', 'sar', 'ven', 'qui', 'pa', 'dor', 'ex', 'um', 'bel', 'tra', 'sin', 'ko'];
const vocabulary = Array.from({ length: 20_000 }, () => Array.from({ length: 2 + random.int(3) }, () => random.pick(syllables)).join(''));
const word = () => vocabulary[Math.floor(vocabulary.length * random.next() ** 4)];
const words = (count) => Array.from({ length: count }, word).join(' ');

/** A commit like those of a busy team; one in a thousand has the change type `security`. */
export function busyCommit(serial) {
  return aCommit({
    repositoryRef: refs[serial % REPOSITORIES],
    sha: (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0')),
    title: words(6),
    description: words(18),
    authorName: `Author ${String(serial % 97)}`,
    authorLogin: `author-${String(serial % 97)}`,
    branch: serial % 5 === 0 ? 'next' : 'main',
    changeType: Math.floor(serial / REPOSITORIES) % 1000 === 0 ? 'security' : 'fix',
    committedAt: NOW - serial * 60_000,
  });
}

let filled = null;
async function store() {
  filled ??= (async () => {
    const opened = await openMemoryStore({ clock });
    await opened.writer.put(
      refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
      context,
    );
    for (let start = 0; start < COMMITS; start += 1_000)
      await opened.writer.put(
        Array.from({ length: 1_000 }, (_, index) => busyCommit(start + index)),
        context,
      );
    await opened.searchReady;
    return opened;
  })();
  return filled;
}

function shared(readers) {
  const gate = new core.RepositoryGate(readers.repositories, { refused: () => undefined });
  const freshness = new core.FreshnessJudge(readers.syncs, clock);
  return { gate, freshness, records: new core.ScopedRecords(gate, freshness, clock) };
}

export async function listFigures() {
  const { readers } = await store();
  const listCommits = new core.ListCommits(readers.commits, shared(readers).records);
  const input = { limit: 20, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };
  let deep = null;
  for (let page = 1; page < 1_000; page++) deep = (await listCommits.execute({ ...input, after: deep }, context)).data.next;
  const cases = { first: {}, deep: { after: deep }, rare: { changeType: 'security' } };
  const rounds = { first: [], deep: [], rare: [] };
  // In turn, so that a slow moment of the machine slows all of them.
  for (let round = 0; round < 9; round++)
    for (const [name, over] of Object.entries(cases))
      rounds[name].push(percentile(await timeEach(500, () => listCommits.execute({ ...input, ...over }, context)), 0.5));
  const p50 = (name) => percentile(rounds[name], 0.5);
  return [
    atMost('list of 20 commits, 100,000 stored, 25 of 50 repositories approved: p50', p50('first'), 'ms', 0.15),
    atMost('page 1,000 against page 1', p50('deep') / p50('first'), 'times', 1.5),
    atMost('with a filter that matches 1 in 1,000, against none', p50('rare') / p50('first'), 'times', 2),
  ];
}

export async function searchFigures() {
  const { readers } = await store();
  const { gate, freshness } = shared(readers);
  const deadlines = { run: (_milliseconds, signal, call) => call(signal) };
  const search = new core.Search(readers.search, readers.checks, gate, freshness, deadlines, clock);
  const queries = Array.from({ length: 300 }, () => `${word()} ${random.pick(syllables.filter(({ length }) => length === 2))}`);
  const run = (q, after) => search.execute({ q, types: [], limit: 20, after }, context);
  const first = await timeEach(queries.length, (index) => run(queries[index % queries.length], null));
  const common = [...new Set(vocabulary.slice(0, 12))].map((one) => `${one} ca`);
  const deep = await Promise.all(common.map(async (q) => ({ q, after: await positionOfPage(100, (after) => run(q, after)) })));
  const pages = deep.filter(({ after }) => after !== null);
  const hundredth = await timeEach(300, (index) => run(pages[index % pages.length].q, pages[index % pages.length].after));
  return [
    atMost('search of two terms, the last a 2-letter prefix, 100,000 commits: p95 of page 1', percentile(first, 0.95), 'ms', 5),
    atMost(`the same: p95 of page 100 (${String(pages.length)} queries go so deep)`, percentile(hundredth, 0.95), 'ms', 5),
  ];
}

async function positionOfPage(number, run) {
  let after = null;
  for (let page = 1; page < number; page++) {
    after = (await run(after)).data.next;
    if (after === null) return null;
  }
  return after;
}

/** 50 services, each with 13,000 checks over 90 days. */
export async function statusFigures() {
  const { readers, writer } = await openMemoryStore({ clock });
  const keys = Array.from({ length: 50 }, (_, index) => `team:service-${String(index).padStart(2, '0')}`);
  const interval = (90 * core.DAY) / 13_000;
  await writer.put(
    keys.map((key) => aService({ key })),
    context,
  );
  for (const serviceKey of keys)
    await writer.put(
      Array.from({ length: 13_000 }, (_, index) =>
        aCheck({
          serviceKey,
          checkedAt: Math.round(NOW - index * interval),
          state: index % 997 === 3 ? 'outage' : 'operational',
          responseTimeMs: 80 + ((index * 37) % 400),
        }),
      ),
      context,
    );
  const deadlines = { run: (_milliseconds, signal, call) => call(signal) };
  const board = new core.StatusBoard({ services: readers.services, checks: readers.checks, incidents: readers.incidents }, deadlines, clock);
  const getStatus = new core.GetStatus(board, new core.FreshnessJudge(readers.syncs, clock), clock);
  const samples = await timeEach(300, () => getStatus.execute({}, context));
  return [atMost('status of 50 services with 13,000 checks each: p95', percentile(samples, 0.95), 'ms', 10)];
}
