import type { StoredRecord } from '../../kinds/identity.js';
import { DAY, startOfDay } from '../../kinds/instant.js';
import type { RepositoryRef } from '../../kinds/repository-name.js';
import { SEARCH_TYPES } from '../../kinds/search.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore, StoreReaders } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { searchWordsOf } from '../../rules/search-words.js';
import { NOW, aCommit } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assert, assertSame, namedCase, withSeeds, withStore } from '../contract.js';
import { LIST_SPECS } from '../list-specs.js';
import { CANARY, randomRecords, withCanary } from '../random-world.js';
import { Random } from '../random.js';

const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
const PUBLIC: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/widget', 'acme/gadget'];
const PRIVATE: readonly [RepositoryRef, ...RepositoryRef[]] = ['acme/secret', 'acme/widget#9', 'acme/aaa'];
const QUERIES = ['acme', 'widget', 'keyset index', 'ca', 'secret', CANARY];

/** Records of repositories that are not approved change no response: not its records, not its length, not its positions. */
export function noninterferenceContract(options: ContractOptions): readonly ContractCase[] {
  return [
    namedCase('noninterference: a store with private records answers as one without them, and shows none of their text', () =>
      withSeeds(options, (seed) => samePublicAnswers(options, seed)),
    ),
  ];
}

async function samePublicAnswers(options: ContractOptions, seed: number): Promise<void> {
  const random = new Random(seed);
  const shown = randomRecords(random, PUBLIC, 0);
  const hidden = randomRecords(random, PRIVATE, 1_000).map(withCanary);
  const expected = await answersOf(options, shown);
  const actual = await answersOf(options, random.shuffled([...shown, ...hidden]));
  assertSame(actual, expected, 'answers');
  assert(!JSON.stringify(actual).includes(CANARY), 'an answer holds text of a private record');
}

async function answersOf(options: ContractOptions, records: readonly StoredRecord[]): Promise<readonly unknown[]> {
  let collected: readonly unknown[] = [];
  await withStore(options, new StandingClock(NOW), async (store) => {
    await store.writer.put(records, options.context);
    collected = await answers(store, options.context);
  });
  return collected;
}

/** Everything that can be read: every page of every list with and without each filter value, every single record, every search. */
async function answers({ readers }: RecordStore, context: ReadContext): Promise<unknown[]> {
  const collected: unknown[] = [];
  for (const spec of LIST_SPECS) {
    for (const values of [
      {},
      ...Object.keys(spec.filters).map((name) => ({ [name]: CANARY })),
      ...Object.keys(spec.filters).map((name) => ({ [name]: 'main' })),
    ]) {
      let after = null;
      do {
        const page: Awaited<ReturnType<typeof spec.list>> = await spec.list(
          readers,
          approved,
          { limit: 4, after, from: null, to: NOW },
          values,
          context,
        );
        collected.push(page);
        after = page.next;
      } while (after !== null);
    }
  }
  for (const q of QUERIES) collected.push(await searched(readers, q, context));
  collected.push(await readers.repositories.list(approved, { limit: 100, after: null }, context));
  collected.push(await readers.repositories.byRefs(approved, [...PUBLIC, ...PRIVATE], context));
  collected.push([...(await readers.syncs.list(approved, context))].sort((a, b) => (a.id < b.id ? -1 : 1)));
  collected.push([...(await readers.activity.days(approved, { from: startOfDay(NOW) - 365 * DAY, to: NOW }, context))].sort((a, b) => a.day - b.day));
  collected.push(await readers.commits.bySha(approved, aCommit().sha.slice(0, 7), context));
  return collected;
}

async function searched(readers: StoreReaders, q: string, context: ReadContext): Promise<unknown> {
  const words = searchWordsOf(q);
  if (words === null) return null;
  const page = await readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 5, after: null, to: NOW }, context);
  return [page.items.map(({ position, record }) => [position, record]), page.next];
}
