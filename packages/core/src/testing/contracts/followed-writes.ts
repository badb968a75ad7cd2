import type { StoredRecord } from '../../kinds/identity.js';
import { startOfDay } from '../../kinds/instant.js';
import { NO_REPOSITORY, type ScopeRef } from '../../kinds/repository-name.js';
import { SEARCH_TYPES } from '../../kinds/search.js';
import type { FeedPosition, StoreChange } from '../../ports/changes.js';
import type { ReadContext } from '../../ports/readers.js';
import type { IndexedBesideStore, RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { searchWordsOf } from '../../rules/search-words.js';
import { NOW } from '../builders.js';
import { someNews } from '../content-builders.js';
import { type ContractCase, type ContractOptions, StandingClock, allOf, assert, assertSame, namedCase, withSeeds } from '../contract.js';
import { FeedFollower, LONG_MS, isMark } from '../feed-follower.js';
import { WRITTEN_REFS, nameOfRecord, randomWrite } from '../random-writes.js';
import { Random } from '../random.js';

export interface FollowedWritesOptions extends Pick<ContractOptions, 'context' | 'seed' | 'runs'> {
  /** Opens an empty store that uses the given clock. */
  readonly open: (clock: StandingClock) => Promise<FollowedStore>;
  /** Makes the feed forget its history, so that every position of before is too old. */
  readonly forget?: (store: FollowedStore) => Promise<void>;
}

/** Search is no part of a store whose index is beside it: the index follows the same feed. */
type FollowedStore = RecordStore | IndexedBesideStore;

const everything = Allowlist.of(...WRITTEN_REFS).approved();
const WRITES = 6;

interface KnownRecord {
  /** What a change of the record names. */
  readonly place: string;
  readonly scope: ScopeRef;
  readonly text: string;
}

/** What a reader knows of a store, by names of records and of what is derived from them. */
type Known = ReadonlyMap<string, KnownRecord>;

/** That a reader of the feed knows what a reader of everything knows, however often it is stopped. */
export function followedWritesContract(options: FollowedWritesOptions): readonly ContractCase[] {
  const on = (name: string, run: (random: Random, store: FollowedStore) => Promise<void>): ContractCase =>
    namedCase(`changes: ${name}`, () =>
      withSeeds(options, async (seed) => {
        const store = await options.open(new StandingClock(NOW));
        try {
          await run(new Random(seed), store);
        } finally {
          await store.close();
        }
      }),
    );
  return [
    on('a random write tells every place that reads differently afterwards, and no other', (random, store) => isComplete(random, store, options)),
    on('a reader that is stopped, killed and resumed anywhere knows what a full read gives', (random, store) => isResumed(random, store, options)),
  ];
}

async function isComplete(random: Random, store: FollowedStore, { context }: FollowedWritesOptions): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  for (let count = 0; count < WRITES; count++) {
    const before = await read(store, context);
    const isIndexing = await randomWrite(random, store, context);
    const after = await read(store, context);
    const changes = await follower.next();
    assertSame([...updated(before, after, changes)].sort(), [...after].sort(), `what the changes ${JSON.stringify(changes.map(placeOfChange))} tell`);
    // What search finds under another list may concern records that it does not find by the words of this case.
    if (isIndexing) continue;
    const changed = new Set([...before, ...after].filter(([name]) => before.get(name)?.text !== after.get(name)?.text).map(([, { place }]) => place));
    // A store may also tell that the counts and the latest state of a service have changed with its checks or with a day.
    const counted = new Set(changes.filter((change) => changed.has(placeOfChange(change))).map(({ serviceKey }) => serviceKey));
    for (const change of changes)
      if (change.kind !== 'status-day' || !counted.has(change.serviceKey))
        assert(changed.has(placeOfChange(change)), `expected no change of ${placeOfChange(change)}, which reads as before`);
  }
}

async function isResumed(random: Random, store: FollowedStore, { context, forget }: FollowedWritesOptions): Promise<void> {
  const reader = new StoppableReader(store, context);
  for (let count = 0; count < WRITES; count++) {
    await randomWrite(random, store, context);
    if (random.chance(0.6)) await reader.advance(1 + random.int(4), 0);
    if (random.chance(0.4)) reader.save();
    if (random.chance(0.3)) reader.resume();
    if (random.chance(0.1)) await forget?.(store);
  }
  await store.writer.put([someNews({ id: 'nws_last' })], context);
  while (!reader.knows('news nws_last')) await reader.advance(1 + random.int(20), LONG_MS);
  assertSame([...reader.known].sort(), [...(await read(store, context))].sort(), 'what the reader knows');
}

/** Reads again only what changes name. */
class StoppableReader {
  readonly #store: FollowedStore;
  readonly #context: ReadContext;
  #position: FeedPosition | null = null;
  known: Known = new Map();
  /** What it has on its disk. */
  #saved: readonly [FeedPosition | null, Known] = [null, new Map()];

  constructor(store: FollowedStore, context: ReadContext) {
    [this.#store, this.#context] = [store, context];
  }

  async advance(limit: number, waitMs: number): Promise<void> {
    const { isTooOld, changes, position } = await this.#store.changeFeed.changesSince(this.#position, { limit, waitMs }, this.#context);
    const present = await read(this.#store, this.#context);
    this.known = isTooOld ? present : updated(this.known, present, changes);
    this.#position = position;
  }

  save(): void {
    this.#saved = [this.#position, this.known];
  }

  /** It was killed, and starts again. */
  resume(): void {
    [this.#position, this.known] = this.#saved;
  }

  knows(name: string): boolean {
    return this.known.has(name);
  }
}

function updated(known: Known, present: Known, changes: readonly StoreChange[]): Known {
  const next = new Map(known);
  for (const change of changes) {
    for (const [name, record] of known) if (concerns(change, record) && !present.has(name)) next.delete(name);
    for (const [name, record] of present) if (concerns(change, record)) next.set(name, record);
  }
  return next;
}

function concerns(change: StoreChange, { place, scope }: KnownRecord): boolean {
  if (change.operation === 'index') return place.startsWith(`${change.kind} `) && scope === change.repositoryRef;
  return place === placeOfChange(change);
}

function placeOfChange({ kind, key, serviceKey, day }: StoreChange): string {
  return key === null ? `${kind} ${String(serviceKey)} ${String(day)}` : `${kind} ${key}`;
}

function placeOf(record: StoredRecord): string {
  if (record.kind === 'check') return `check ${record.serviceKey} ${String(startOfDay(record.checkedAt))}`;
  return nameOfRecord(record);
}

/** Everything that can be read. */
async function read({ collection, readers }: FollowedStore, context: ReadContext): Promise<Known> {
  const known = new Map<string, KnownRecord>();
  const add = (suffix: string, record: StoredRecord, shown: unknown = record): void => {
    const scope = 'repositoryRef' in record ? record.repositoryRef : NO_REPOSITORY;
    if (!isMark(record)) known.set(nameOfRecord(record) + suffix, { place: placeOf(record), scope, text: JSON.stringify(shown) });
  };
  for (const record of await allOf(collection.records(context))) add('', record);
  for (const repository of await readers.repositories.byRefs(everything, [...WRITTEN_REFS], context))
    add(' with facts', { ...repository, kind: 'repository' }, repository);
  const words = searchWordsOf('widget');
  const query = { types: SEARCH_TYPES, limit: 100, after: null, to: NOW };
  const found = words === null || !('search' in readers) ? [] : (await readers.search.search(everything, { ...query, words }, context)).items;
  for (const { record } of found) add(' found', record, 'found');
  return known;
}
