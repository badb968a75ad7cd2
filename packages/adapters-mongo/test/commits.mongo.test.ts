import { anArticle, NOW } from '@vitrine/core/testing';
import { describeMongo, itInTorture } from '@vitrine/test-support';
import type { CommandStartedEvent, Db } from 'mongodb';
import { acquireLease, createMongoWriters, initStore, reindexStore, type DatabaseLease } from '../src/index.js';
import { begin, collect } from './support/collected.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const DURABLE = { w: 'majority', journal: true } as const;
const CHANGING: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

describeMongo('what a collector writes', (databases) => {
  let db: Db;
  let lease: DatabaseLease;
  let commands: CommandStartedEvent[] = [];

  beforeAll(async () => {
    const { client, databaseName } = await databases.prepared(initStore, { monitorCommands: true });
    db = client.db(databaseName, { writeConcern: DURABLE });
    lease = await acquireLease(db, { holder: 'the only one', ...context });
    client.on('commandStarted', (event) => commands.push(event));
  });

  beforeEach(() => {
    commands = [];
  });

  it('is written only in transactions that change the lease first', async () => {
    const { writer } = createMongoWriters(db, { clock, lease });
    await begin(writer, context);
    await collect(writer, 'second', context);
    await reindexStore(db, { clock, lease, ...context, onProgress: () => undefined });
    const changes = commands
      .filter(({ commandName }) => CHANGING.has(commandName))
      .map(({ commandName, command }) => ({ commandName, ...command }) as Record<string, unknown>);
    const ofRecords = changes.filter((change) => change[String(change['commandName'])] !== 'leases');
    expect(ofRecords.filter(({ autocommit }) => autocommit !== false).map(({ commandName }) => commandName)).toEqual([]);
    const firsts = changes.filter(({ startTransaction }) => startTransaction === true);
    expect(new Set(firsts.map(({ update }) => update))).toEqual(new Set(['leases']));
    expect(firsts.length).toBeGreaterThan(20);
    expect(new Set(ofRecords.map((change) => change[String(change['commandName'])])).size).toBeGreaterThan(15);
  });

  it('is as durable as the write concern of the database says, with a lease and without', async () => {
    for (const [title, options] of Object.entries({ first: { clock, lease }, second: { clock } }))
      await createMongoWriters(db, options).writer.put([anArticle({ title })], context);
    const concerns = commands
      .filter(({ commandName }) => commandName === 'commitTransaction')
      .map(({ command }) => command['writeConcern'] as unknown);
    expect(concerns.length).toBeGreaterThan(1);
    expect(concerns).toEqual(concerns.map(() => expect.objectContaining({ w: 'majority', j: true }) as unknown));
  });

  itInTorture('is written in commits of some megabytes, however long the records are', async () => {
    const { writer } = createMongoWriters(db, { clock, lease });
    const articles = Array.from({ length: 600 }, (_, index) => anArticle({ id: `art_${String(index)}`, body: 'long '.repeat(13_000) }));
    expect((await writer.put(articles, context)).stored).toBe(600);
    const bytes = new Map<unknown, number>();
    for (const { commandName, command } of commands)
      if (commandName === 'insert')
        bytes.set(command['txnNumber'], (bytes.get(command['txnNumber']) ?? 0) + JSON.stringify(command['documents']).length);
    expect(bytes.size).toBeGreaterThan(2);
    expect(Math.max(...bytes.values())).toBeLessThan(32 * 1_024 * 1_024);
  });
});
