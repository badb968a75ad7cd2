import { describeMongo } from '@vitrine/test-support';

describeMongo('a test database', (databases) => {
  it('keeps what a majority has seen', async () => {
    const database = await databases.database();
    const notes = database.collection('notes', { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } });
    await notes.insertOne({ text: 'kept' });
    expect(await notes.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ text: 'kept' }]);
  });

  it('is empty, and no other is', async () => {
    const [one, other] = [await databases.database(), await databases.database()];
    await one.collection('notes').insertOne({ text: 'of one' });
    expect(await other.listCollections().toArray()).toEqual([]);
  });
});
