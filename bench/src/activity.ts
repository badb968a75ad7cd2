import { DAY, FreshnessJudge, ListActivity, startOfDay, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { aCommit, aRelease, NOW, Random } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';
import { clock, shaOf } from './memory-world.js';
import { atMost, percentile, timeOnce, type Figure } from './measure.js';
import { contextOf } from './sqlite-store.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const REPOSITORIES = 1_200;
const DAYS = 365;
/** One record in so many is a release. */
const RELEASES = 100;
const BATCH = 1_000;
const TODAY = startOfDay(NOW);

const refs = Array.from({ length: REPOSITORIES }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(4, '0')}`);

/** The days of the records of a repository look random. */
const daysAgoOf = (serial: number): number => (Math.imul(serial + 1, 0xc2b2ae35) >>> 0) % DAYS;

/** Requests for the last 365 days of different repositories, each for the first time. @param count the number of commits, for tests */
export async function activityFigures(count = COMMITS, questions = 100): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: null });
  const world = new World(count);
  await fill(store, world);
  const listActivity = new ListActivity(store.readers.activity, new FreshnessJudge(store.readers.syncs, clock), clock);
  // Starts the thread of readers, which takes longer than any of its calls.
  await store.readers.checks.present({ serviceKeys: null, now: NOW }, contextOf([]));
  const figures: Figure[] = [];
  for (const approved of [20, 1_000]) {
    const asked = questionsOf(approved, questions);
    const samples = await timeOnce(
      asked.length,
      async (index) => (await listActivity.execute({ repository: null, from: null, to: null }, elementOf(asked, index).context)).data,
      (days, index) => {
        mustBe(`activity of ${String(approved)} repositories`, days, world.daysOf(elementOf(asked, index).chosen));
      },
    );
    const what = `activity of a year, ${count.toLocaleString('en')} commits in ${REPOSITORIES.toLocaleString('en')} repositories, ${approved.toLocaleString('en')} approved`;
    figures.push(atMost(`${what}, each request for other repositories: p95`, percentile(samples, 0.95), 'ms', 150));
  }
  await store.close();
  return figures;
}

/** Each request has its own permission. */
function questionsOf(approved: number, length: number) {
  const random = new Random(29);
  return Array.from({ length }, () => {
    const chosen = random.shuffled([...refs.keys()]).slice(0, approved);
    return { chosen, context: contextOf(chosen.map((index) => elementOf(refs, index))) };
  });
}

/** The stored records, and the expected answers, which are counted without the store. */
class World {
  readonly count: number;
  readonly #commits = new Uint32Array(REPOSITORIES * DAYS);
  readonly #releases = new Uint32Array(REPOSITORIES * DAYS);

  constructor(count: number) {
    this.count = count;
  }

  /** One repository after the other, as a first import writes them. */
  record(serial: number): StoredRecord {
    const [repository, daysAgo] = [Math.floor((serial * REPOSITORIES) / this.count), daysAgoOf(serial)];
    const counts = isRelease(serial) ? this.#releases : this.#commits;
    counts[repository * DAYS + daysAgo] = (counts[repository * DAYS + daysAgo] ?? 0) + 1;
    return recordOf(serial, elementOf(refs, repository), TODAY - daysAgo * DAY);
  }

  daysOf(repositories: readonly number[]) {
    const sum = (counts: Uint32Array, daysAgo: number): number => repositories.reduce((total, one) => total + (counts[one * DAYS + daysAgo] ?? 0), 0);
    return Array.from({ length: DAYS }, (_, index) => {
      const daysAgo = DAYS - 1 - index;
      return { day: TODAY - daysAgo * DAY, commits: sum(this.#commits, daysAgo), releases: sum(this.#releases, daysAgo) };
    });
  }
}

async function fill(store: OpenSqliteStore, world: World): Promise<void> {
  const context = contextOf([]);
  // Search is not measured, so no record needs search entries.
  await store.writer.indexFor(context.approved, context);
  for (let start = 0; start < world.count; start += BATCH) {
    const length = Math.min(BATCH, world.count - start);
    await store.writer.put(
      Array.from({ length }, (_, index) => world.record(start + index)),
      context,
    );
  }
}

const isRelease = (serial: number): boolean => serial % RELEASES === 0;

function recordOf(serial: number, repositoryRef: RepositoryRef, time: number): StoredRecord {
  if (isRelease(serial)) return aRelease({ repositoryRef, tagName: `v${String(serial)}`, publishedAt: time });
  return aCommit({ repositoryRef, sha: shaOf(serial), committedAt: time });
}
