import {
  Allowlist,
  normalizeQuery,
  searchWordsOf,
  SEARCH_TYPES,
  type ApprovedRepositories,
  type RepositoryRef,
  type SearchPosition,
  type SearchReader,
  type SearchWords,
} from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document, MongoClient } from 'mongodb';
import { createMongoReaders, ensureIndexes, openMongoStore } from '../src/index.js';
import { commandsOf, explained } from './support/explained.js';

const LIMIT = 10;
const COMMITS = 2_000;
const refs = Array.from({ length: 400 }, (_, index): RepositoryRef => `team/repository-${String(index)}`);
const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const allowlists = new Map([20, 400].map((count) => [count, Allowlist.of(...refs.slice(0, count)).approved()]));
const approvedOf = (count: number): ApprovedRepositories => allowlists.get(count) ?? Allowlist.of().approved();

/** `common` is in every title, `half` in every second description, `st…` is a prefix of as many words as there are commits, `rare` is in one of a hundred commits. */
function commitOf(serial: number, random: Random) {
  const words = [`st${random.int(5_000).toString(36)}`, ...(serial % 2 === 0 ? ['half'] : []), ...(serial % 100 === 0 ? ['rare'] : [])];
  return aCommit({
    repositoryRef: refs[random.int(refs.length)] ?? 'team/none',
    sha: (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').repeat(5),
    title: 'common change',
    description: words.join(' '),
    committedAt: NOW - Math.floor(serial / 3) * 1_000,
  });
}

function wordsOf(query: string): SearchWords {
  const words = searchWordsOf(normalizeQuery(query) ?? '');
  if (words === null) throw new Error(`${query} has no word`);
  return words;
}

describeMongo('the plans of search', (databases) => {
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    await ensureIndexes(db);
    const random = new Random(3);
    const { writer } = openMongoStore(db, { clock });
    await writer.put(
      [
        ...refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
        ...Array.from({ length: COMMITS }, (_, serial) => commitOf(serial, random)),
      ],
      context,
    );
  });

  /** New readers have empty caches, so that each search must read everything. */
  const newSearch = (): SearchReader => createMongoReaders(db, { clock }).search;

  const search = (query: string, approvedCount: number, after: SearchPosition | null = null, reader = newSearch()) =>
    reader.search(approvedOf(approvedCount), { words: wordsOf(query), types: SEARCH_TYPES, limit: LIMIT, after, to: NOW }, context);

  /** The start of the first page, of one in the middle, and of the last one or the twelfth. */
  async function someAfters(query: string, approvedCount: number): Promise<ReadonlySet<SearchPosition | null>> {
    const reader = newSearch();
    const afters: SearchPosition[] = [];
    let after: SearchPosition | null = null;
    do {
      ({ next: after } = await search(query, approvedCount, after, reader));
      if (after !== null) afters.push(after);
    } while (after !== null && afters.length < 11);
    return new Set([null, afters[afters.length >> 1] ?? null, afters.at(-1) ?? null]);
  }

  const single = ['common', 'half', 'st', 'st1', 'st12', 'rare', 'no-such-word-here', '9e', '9e37', '9e3779b', 'team'];
  const several = ['common half', 'half rare', 'rare st', 'common half rare', 'team common'];

  it.each([...single, ...several].flatMap((query) => [20, 400].map((approvedCount) => ({ query, approvedCount }))))(
    '"$query", $approvedCount approved: at most 12 commands, each by ids, few documents, on the first, a middle and the last page',
    async ({ query, approvedCount }) => {
      for (const after of await someAfters(query, approvedCount)) {
        const commands = await commandsOf(client, () => search(query, approvedCount, after));
        expect(commands.length).toBeLessThanOrEqual(4 + 8);
        expect(commands.map(({ aggregate, find }) => aggregate ?? find)).toContain('search_segments');
        for (const command of commands) {
          const { stages, docsExamined } = await explained(db, command);
          expect([...stages].filter((stage) => ['SORT', 'COLLSCAN'].includes(stage))).toEqual([]);
          expect(docsExamined).toBeLessThanOrEqual(10 * LIMIT);
        }
      }
    },
    60_000,
  );

  it('never treats a part of a query as an operator: the same operators and fields for any words, and no regular expression', async () => {
    const names = async (query: string) => (await commandsOf(client, () => search(query, 20))).flatMap((command) => namesIn(command));
    const plain = new Set([...(await names('one two three')), ...(await names('deadbeef common')), ...(await names('common change'))]);
    for (const hostile of ['$where $gt $ne', 'keys $or _id', '.* ^a [b-z]', '__proto__ constructor tostring', 'c* c# r*', '{"$gt": ""} common'])
      expect((await names(hostile)).filter((name) => !plain.has(name))).toEqual([]);
  });
});

/** The names of all fields and operators in a command. Fails if it contains a regular expression. */
function namesIn(value: unknown): string[] {
  if (value instanceof RegExp) throw new Error(`a regular expression: ${String(value)}`);
  if (value instanceof Map) return [...(value as Map<string, unknown>)].flatMap(([name, inner]) => [name, ...namesIn(inner)]);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => namesIn(inner));
  return Object.entries(value as Document).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}
