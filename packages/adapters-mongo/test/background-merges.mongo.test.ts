import { Allowlist, searchWordsOf, SEARCH_TYPES, type RecordWriter, type SearchableRecord } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW, someNews } from '@vitrine/core/testing';
import { describeMongo, everyNth, emptied } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES, Collections } from '../src/collections.js';
import { writersOver } from '../src/create-mongo-writers.js';
import { acquireLease, createMongoReaders, initStore, WRITER, type MongoWriters } from '../src/index.js';
import { contentsOf, decoded, expectSame, restore } from './support/contents.js';
import { FailingCollections } from './support/failing-collections.js';
import { GatedCollections } from './support/gated-collections.js';
import { settlingWriter } from './support/settling-writer.js';
import { storedEntries } from './support/stored-entries.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widget', 'acme/secret').approved();
const SEARCH = ['search_segments', 'search_blocks'] as const;

const news = (serial: number) => someNews({ id: `nws_${String(serial)}`, title: `Zebra ${String(serial)}`, listedAt: NOW - serial * 1_000 });
const commits = (repositoryRef: 'acme/widget' | 'acme/secret', from: number, count: number): readonly SearchableRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const sha = (from + index).toString(16).padStart(40, '0');
    return aCommit({ repositoryRef, sha, title: `zebra of ${repositoryRef}`, committedAt: NOW - (from + index) * 1_000 });
  });

/** A gate that is closed until the test opens it. */
class Gate {
  #open: () => void = () => undefined;
  readonly #opened = new Promise<void>((resolve) => (this.#open = resolve));
  /** How often something has waited here. */
  count = 0;

  readonly pass = async (): Promise<void> => {
    this.count += 1;
    await this.#opened;
  };

  open(): void {
    this.#open();
  }
}

describeMongo('merges in the background', (databases) => {
  let db: Db;
  let gated: GatedCollections;
  let failures: unknown[];

  beforeAll(async () => {
    db = await databases.database();
    await initStore(db, { clock });
  });

  beforeEach(async () => {
    await emptied(db, COLLECTION_NAMES);
    gated = new GatedCollections(db);
    failures = [];
  });

  const writers = (collections: Collections = new Collections(db)): MongoWriters =>
    writersOver(collections, { clock, onMergeFailure: (error) => failures.push(error) });

  async function put(writer: RecordWriter, ...records: readonly SearchableRecord[]): Promise<void> {
    await writer.put(records, context);
  }

  async function countOfSegments(type: string): Promise<number> {
    const list = await db.collection('search_segments').findOne({ _id: type as never });
    return (list?.['segments'] as readonly unknown[] | undefined)?.length ?? 0;
  }

  async function found(q: string, limit = 50): Promise<readonly string[]> {
    const words = searchWordsOf(q);
    if (words === null) throw new Error(`${q} has no word`);
    const query = { words, types: SEARCH_TYPES, limit, after: null, to: NOW };
    return (await createMongoReaders(db, { clock }).search.search(approved, query, context)).items.map(({ position }) => position.id);
  }

  /** Ids of blocks that belong to no segment of a list. */
  async function unnamedBlocks(): Promise<readonly string[]> {
    const [lists = [], blocks = []] = (await contentsOf(db, SEARCH)).values();
    const named = new Set(lists.map(decoded).flatMap(({ segments }) => ((segments ?? []) as readonly { readonly id: string }[]).map(({ id }) => id)));
    return blocks.map((bytes) => String(decoded(bytes)['_id'])).filter((id) => !named.has(id.slice(0, 24)));
  }

  it('let puts resolve before they end, and search finds the same before, meanwhile and afterwards', async () => {
    const { writer, settled } = writers(gated);
    for (let serial = 0; serial < 7; serial++) await put(writer, news(serial));
    await settled();
    const gate = new Gate();
    gated.gate = gate.pass;
    for (let serial = 7; serial < 12; serial++) await put(writer, news(serial));
    while (gate.count === 0) await new Promise(setImmediate);
    expect([await countOfSegments('news'), gate.count]).toEqual([12, 1]);
    const ids = Array.from({ length: 12 }, (_, serial) => `nws_${String(serial)}`);
    expect(await found('zebra')).toEqual(ids);
    gate.open();
    await settled();
    // Eight were merged. Those that were added meanwhile are too few for another merge.
    expect(await countOfSegments('news')).toBeLessThanOrEqual(5);
    expect(await found('zebra')).toEqual(ids);
    expect([await unnamedBlocks(), failures]).toEqual([[], []]);
  });

  it('report a failure, which fails no put, and the next put tries again', async () => {
    const { writer, settled } = writers(gated);
    const broken = new Error('broken');
    gated.gate = () => Promise.reject(broken);
    await put(writer, news(0)).catch(() => undefined);
    gated.gate = () => Promise.resolve();
    for (let serial = 0; serial < 7; serial++) await put(writer, news(serial));
    await settled();
    gated.gate = () => Promise.reject(broken);
    await put(writer, news(7));
    await settled();
    expect([failures, await countOfSegments('news')]).toEqual([[broken], 8]);
    gated.gate = () => Promise.resolve();
    await put(writer, news(8));
    await settled();
    expect([failures.length, await countOfSegments('news')]).toEqual([1, 1]);
  });

  it('leave no word of a repository that is hidden while they run', async () => {
    const { writer, settled } = writers(gated);
    await put(writer, aRepositoryRecord({ repositoryRef: 'acme/widget' }), aRepositoryRecord({ repositoryRef: 'acme/secret' }));
    for (let batch = 0; batch < 7; batch++)
      await put(writer, ...commits('acme/widget', batch * 100, 50), ...commits('acme/secret', batch * 100 + 50, 50));
    await settled();
    // Entries are merged first. The gate stops the merge when it reads terms, so new blocks are stored already.
    const gate = new Gate();
    let reads = 0;
    gated.gate = () => ((reads += 1) > 3 ? gate.pass() : Promise.resolve());
    await put(writer, ...commits('acme/widget', 700, 100));
    while (gate.count === 0) await new Promise(setImmediate);
    expect(await unnamedBlocks()).not.toEqual([]);
    const aligned = writer.indexFor(Allowlist.of('acme/widget').approved(), context);
    gate.open();
    expect((await aligned).removed).toBe(351);
    const left = [...(await contentsOf(db, ['search_blocks'])).values()].flat().map((bytes) => JSON.stringify(decoded(bytes)));
    expect(left.filter((text) => text.includes('secret'))).toEqual([]);
    expect([await unnamedBlocks(), failures]).toEqual([[], []]);
    expect(await found('zebra', 500)).toHaveLength(450);
    expect(new Set((await storedEntries(db)).map(({ repositoryRef }) => repositoryRef))).toEqual(new Set(['acme/widget']));
  });

  it('change nothing after their lease was lost, and report nothing', async () => {
    const acquire = (holder: string) => acquireLease(db, { name: WRITER, holder, ...context });
    const first = await acquire('first');
    const { writer, settled } = writersOver(gated, { clock, lease: first, onMergeFailure: (error) => failures.push(error) });
    for (let serial = 0; serial < 7; serial++) await put(writer, news(serial));
    await settled();
    const gate = new Gate();
    gated.gate = gate.pass;
    await put(writer, news(7));
    while (gate.count === 0) await new Promise(setImmediate);
    await db.collection('leases').updateOne({ _id: WRITER as never }, { $set: { expiresAt: new Date(0) } });
    const second = await acquire('second');
    await put(settlingWriter(writersOver(new Collections(db), { clock, lease: second })), ...commits('acme/widget', 0, 1));
    const before = await contentsOf(db, SEARCH);
    gate.open();
    await settled();
    expectSame(await contentsOf(db, SEARCH), before);
    expect([await countOfSegments('news'), failures, first.lost.aborted]).toEqual([8, [], true]);
    await second.release();
    await first.release();
  });

  it('stop when the writers are settled with a signal, and the next writer does their work', async () => {
    const { writer, settled } = writers(gated);
    for (let serial = 0; serial < 7; serial++) await put(writer, news(serial));
    await settled();
    const gate = new Gate();
    gated.gate = gate.pass;
    await put(writer, news(7));
    const stopped = settled(AbortSignal.abort());
    gate.open();
    await stopped;
    expect([failures, await unnamedBlocks()]).toEqual([[], []]);
    const next = writers();
    await put(next.writer, news(8));
    await next.settled();
    expect(await countOfSegments('news')).toBe(1);
    expect(await found('zebra')).toHaveLength(9);
  });

  it.each([true, false])(
    'that die between any two operations leave the old segments in force, and the next writer completes the work (transactions: %s)',
    async (isLeased) => {
      const lease = isLeased ? await acquireLease(db, { name: WRITER, holder: 'the dying', ...context }) : null;
      const open = (collections: Collections) =>
        writersOver(collections, { clock, ...(lease !== null && { lease }), onMergeFailure: (error) => failures.push(error) });
      const begun = open(new Collections(db));
      for (let serial = 0; serial < 7; serial++) await put(begun.writer, news(serial));
      await begun.settled();
      const start = await contentsOf(db, [...SEARCH, 'news']);
      for (let operations = 0; ; operations += everyNth(4)) {
        await restore(db, start);
        failures = [];
        const dying = open(new FailingCollections(db, operations));
        const isPut = await put(dying.writer, news(7)).then(
          () => true,
          () => false,
        );
        await dying.settled();
        const stored = Array.from({ length: isPut ? 8 : 7 }, (_, serial) => `nws_${String(serial)}`);
        expect({ operations, found: await found('zebra') }).toEqual({ operations, found: stored });
        if (isPut && failures.length === 0) break;
        await put(settlingWriter(open(new Collections(db))), news(7), news(8));
        expect({ operations, found: await found('zebra') }).toEqual({ operations, found: [...stored.slice(0, 7), 'nws_7', 'nws_8'] });
        expect({ operations, unnamed: await unnamedBlocks() }).toEqual({ operations, unnamed: [] });
        expect(await countOfSegments('news')).toBeLessThanOrEqual(2);
      }
      await lease?.release();
    },
    60_000,
  );
});
