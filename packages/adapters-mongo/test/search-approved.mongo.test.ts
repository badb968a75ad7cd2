import { Allowlist, type ApprovedRepositories, type RecordWriter, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import { aCommit, aFinding, aRelease, aRepositoryRecord, aSync, NOW, someNews } from '@vitrine/core/testing';
import { describeMongo, everyNth, emptied } from '@vitrine/test-support';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import { COLLECTION_NAMES, Collections } from '../src/collections.js';
import { writersOver } from '../src/create-mongo-writers.js';
import { BadValue } from '../src/documents/codec.js';
import type { StoredDocument } from '../src/documents/document-spec.js';
import { initStore, reindexStore } from '../src/index.js';
import { toSegmentList } from '../src/search/segment-documents.js';
import { contentsOf, decoded, restore } from './support/contents.js';
import { FailingCollections } from './support/failing-collections.js';
import { settlingWriter } from './support/settling-writer.js';
import { storedEntries } from './support/stored-entries.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
/** Every second operation is enough for a normal run. */
const STEP = everyNth(6);
const everything = Allowlist.of('acme/widget', 'acme/secret', 'acme/gadget').approved();
const without = Allowlist.of('acme/widget', 'acme/gadget').approved();
const onlySecret = Allowlist.of('acme/secret').approved();

/** Records that contain a word that no other repository's records contain. */
function recordsOf(repositoryRef: RepositoryRef, word: string, count: number): readonly SearchableRecord[] {
  const serials = Array.from({ length: count }, (_, index) => index);
  return [
    aRepositoryRecord({ repositoryRef, fullName: repositoryRef }),
    ...serials.map((serial) =>
      aCommit({
        repositoryRef,
        sha: `${word === 'zebra' ? '5ec2' : '0000'}${serial.toString(16).padStart(36, '0')}`,
        title: `${word} both`,
        committedAt: NOW - serial * 1_000,
      }),
    ),
    aRelease({ repositoryRef, name: word }),
    aFinding({ repositoryRef, title: word }),
  ];
}

describeMongo('search entries of approved repositories', (databases) => {
  let client: MongoClient;
  let db: Db;

  const writer = (collections = new Collections(db)): RecordWriter => settlingWriter(writersOver(collections, { clock }));

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    await initStore(db, { clock });
  });

  beforeEach(() => emptied(db, COLLECTION_NAMES));

  /** Everything that search has stored, as text. */
  async function stored(): Promise<string> {
    const contents = await contentsOf(db, ['search_segments', 'search_blocks']);
    return [...contents.values()]
      .flat()
      .map((bytes) => JSON.stringify(decoded(bytes)))
      .join('\n');
  }

  /** The traces of a hidden repository in the data of search. */
  async function traces(): Promise<readonly string[]> {
    const text = await stored();
    return ['zebra', '!#5ec2', 'acme/secret', 'secret'].filter((trace) => text.includes(trace));
  }

  async function fill(own = writer(), count = 60): Promise<void> {
    // Enough records for many segments, and runs of several levels.
    const [hidden, shown] = [recordsOf('acme/secret', 'zebra', count), recordsOf('acme/widget', 'okapi', count)];
    for (let at = 0; at < hidden.length; at += 6) await own.put([...hidden.slice(at, at + 6), ...shown.slice(at, at + 6)], context);
    await own.put([someNews({ title: 'okapi' }), aSync({ id: 'git acme/secret', repositoryRef: 'acme/secret', state: 'somewhere' })], context);
  }

  it('leave no word, sha or name of a removed repository in the database', async () => {
    const own = writer();
    await fill(own);
    const shown = (await storedEntries(db)).filter(({ repositoryRef }) => repositoryRef !== 'acme/secret');
    expect(await traces()).toHaveLength(4);
    expect(await own.indexFor(without, context)).toEqual({ added: 0, removed: 63 });
    expect(await traces()).toEqual([]);
    expect(await storedEntries(db)).toEqual(shown);
    expect(await db.collection('syncs').findOne({ repositoryRef: 'acme/secret' })).toMatchObject({ state: null });
  });

  it('cost one read while the list stays the same', async () => {
    await fill();
    await writer().indexFor(without, context);
    const own = writer();
    await own.put([someNews({ id: 'nws_other' })], context);
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => commands.push(`${commandName} ${String(command[commandName])}`));
    await own.indexFor(without, context);
    client.removeAllListeners('commandStarted');
    expect(commands).toEqual(['find search_segments']);
  });

  it('are not written by a process that does not know of the change yet', async () => {
    const [one, other] = [writer(), writer()];
    await fill(other);
    await one.indexFor(without, context);
    await other.put([aFinding({ repositoryRef: 'acme/secret', id: 'fnd_zebra', title: 'zebra' })], context);
    await other.remove([aRelease({ repositoryRef: 'acme/secret' })], context);
    expect(await traces()).toEqual([]);
  });

  it.each<readonly [string, ApprovedRepositories, ApprovedRepositories]>([
    ['hiding a repository', everything, without],
    ['approving one', without, everything],
    ...(torture ? [['changing one for another', without, onlySecret] as const] : []),
  ])(
    'are complete after the next call if a writer dies between any two operations of %s',
    async (_name, before, after) => {
      const own = writer();
      await fill(own, 12);
      await own.indexFor(before, context);
      const start = await contentsOf(db, COLLECTION_NAMES);
      await writer().indexFor(after, context);
      const right = await storedEntries(db);
      let operations = 0;
      for (; ; operations += STEP) {
        await restore(db, start);
        const died = await writer(new FailingCollections(db, operations))
          .indexFor(after, context)
          .then(
            () => false,
            () => true,
          );
        if (!died) break;
        await writer().indexFor(after, context);
        expect([operations, await storedEntries(db)]).toEqual([operations, right]);
        expect([operations, after.admits('acme/secret') ? [] : await traces()]).toEqual([operations, []]);
      }
      expect(operations).toBeGreaterThanOrEqual(8);
    },
    120_000,
  );

  it('are complete again after a writer died, others wrote, and the list changed back', async () => {
    await fill(writer(), 12);
    const right = await storedEntries(db);
    for (const operations of [6, 9, 12, 15]) {
      await writer(new FailingCollections(db, operations))
        .indexFor(without, context)
        .catch(() => undefined);
      await writer().put([aFinding({ repositoryRef: 'acme/secret', title: 'zebra', summary: String(operations) })], context);
      await writer().indexFor(everything, context);
      await writer().put([aFinding({ repositoryRef: 'acme/secret', title: 'zebra' })], context);
      expect([operations, await storedEntries(db)]).toEqual([operations, right]);
    }
  });

  it('are rebuilt from the records if a segment is damaged', async () => {
    const own = writer();
    await fill(own);
    await own.indexFor(everything, context);
    const right = (await storedEntries(db)).filter(({ repositoryRef }) => repositoryRef !== 'acme/secret');
    const list = toSegmentList(await db.collection<StoredDocument>('search_segments').findOne({ _id: 'commit' }));
    if (list instanceof BadValue) throw new Error(list.toString());
    await db.collection<StoredDocument>('search_blocks').deleteOne({ _id: `${list.segments[0]?.id ?? ''} t0` });
    await own.indexFor(without, context);
    expect(await storedEntries(db)).toEqual(right);
    expect(await traces()).toEqual([]);
  });

  it('are rebuilt by a reindex for approved repositories only, and added by an approval', async () => {
    await fill();
    const right = await storedEntries(db);
    await reindexStore(db, { ...context, approved: without, clock, onProgress: () => undefined });
    expect(await traces()).toEqual([]);
    const own = writer();
    await own.put([aFinding({ repositoryRef: 'acme/secret', id: 'fnd_zebra', title: 'zebra' })], context);
    expect(await traces()).toEqual([]);
    await own.remove([aFinding({ repositoryRef: 'acme/secret', id: 'fnd_zebra' })], context);
    expect(await own.indexFor(everything, context)).toEqual({ added: 63, removed: 0 });
    expect(await storedEntries(db)).toEqual(right);
  });

  it('are rebuilt from the beginning if the list has changed since a reindex was interrupted', async () => {
    await fill();
    const broken = new AbortController();
    const onProgress = (): void => broken.abort(new Error('broken off'));
    await expect(reindexStore(db, { signal: broken.signal, approved: everything, clock, onProgress })).rejects.toThrow('broken off');
    await reindexStore(db, { ...context, approved: without, clock, onProgress: () => undefined });
    expect(await traces()).toEqual([]);
  });
});
