import { describeMongo } from '@vitrine/test-support';
import type { CommandStartedEvent, Document } from 'mongodb';
import { Collections } from '../src/collections.js';
import { MAX_DIRECT_WORDS, WordBook } from '../src/search/word-book.js';

describeMongo('the book of words', (databases) => {
  it('stores each word once and lets a head have no more direct words than can be merged, when parts of a batch learn the same at once', async () => {
    const client = await databases.connect({ monitorCommands: true });
    const db = client.db((await databases.database()).databaseName);
    const stored: string[] = [];
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (commandName === 'insert') stored.push(...(command['documents'] as Document[]).map(({ _id }) => String(_id)));
    });
    const words = Array.from({ length: 2 * MAX_DIRECT_WORDS }, (_, index) => `wi${String(index)}`);
    const parts = [0, 30, 60, 90].map((from) => new Set(words.slice(from, from + 90)));
    const book = new WordBook(new Collections(db).of('search_words'));
    const tests = await Promise.all(parts.map((part) => book.learn([part])));
    expect([...stored].sort()).toEqual([...words].sort());
    const tail = await db
      .collection('search_words')
      .find({ head: { $exists: false } })
      .toArray();
    expect(tail).toHaveLength(MAX_DIRECT_WORDS);
    const told = parts.flatMap((part, index) => [...part].filter((word) => tests[index]?.(word)));
    expect(new Set(told)).toEqual(new Set(tail.map(({ _id }) => String(_id))));
  });
});
