import { describeMongo, reusedDatabases } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { TestDatabases } from '../src/jest/test-databases.js';

describeMongo('a test database', (databases) => {
  it('keeps what a majority has acknowledged', async () => {
    const database = await databases.database();
    const notes = database.collection('notes', { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } });
    await notes.insertOne({ text: 'kept' });
    expect(await notes.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ text: 'kept' }]);
  });

  it('is empty, and differs from all others', async () => {
    const [one, other] = [await databases.database(), await databases.database()];
    await one.collection('notes').insertOne({ text: 'of one' });
    expect(await other.listCollections().toArray()).toEqual([]);
  });

  it('is prepared once, and empty again for the next store', async () => {
    let prepared = 0;
    const reused = reusedDatabases(databases, async (db) => {
      prepared += 1;
      await db.createCollection('unused');
      await db.createCollection('notes');
    });
    const open = () => reused((db) => ({ db, close: () => Promise.resolve() }));
    const [first, meanwhile] = [await open(), await open()];
    await first.db.collection('notes').insertOne({ text: 'of the first' });
    await first.close();
    const next = await open();
    expect([next.db.databaseName, prepared]).toEqual([first.db.databaseName, 2]);
    expect(meanwhile.db.databaseName).not.toBe(next.db.databaseName);
    expect(await next.db.collection('notes').countDocuments()).toBe(0);
    expect(await next.db.listCollections().toArray()).toHaveLength(2);
  });

  it.each([
    ['is left to a later suite if the server ends with the run', true],
    ['is dropped after its suite on any other server', false],
  ])('that is prepared %s', async (_what, isServerOwn) => {
    let prepared = 0;
    const prepare = async (db: Db) => {
      prepared += 1;
      await db.createCollection('notes');
    };
    const suite = () => new TestDatabases(databases.uri, isServerOwn);
    const [first, later] = [suite(), suite()];
    const { databaseName } = await first.prepared(prepare);
    const note = { text: 'of the first suite' };
    await (await first.prepared(prepare)).collection('notes').insertOne(note);
    await first.release();
    const names: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const db = await later.prepared(prepare);
      expect(await db.collection('notes').countDocuments()).toBe(0);
      names.push(db.databaseName);
    }
    expect([names.includes(databaseName), prepared]).toEqual(isServerOwn ? [true, 2] : [false, 4]);
    await later.release();
    const { databases: present } = await (await databases.connect()).db('admin').admin().listDatabases({ nameOnly: true });
    expect(present.some(({ name }) => names.includes(name))).toBe(isServerOwn);
  });

  it.each([
    ['mongodb://one:27017', 'mongodb://one:27017/chosen'],
    ['mongodb://one:27017/', 'mongodb://one:27017/chosen'],
    ['mongodb://me:secret@one,two/?replicaSet=rs0', 'mongodb://me:secret@one,two/chosen?replicaSet=rs0'],
    ['mongodb+srv://one.example/other?w=majority', 'mongodb+srv://one.example/chosen?w=majority'],
  ])('is in the connection string of its server: %s', (server, expected) => {
    expect(new TestDatabases(server).uriOf('chosen')).toBe(expected);
  });
});
