import type { RepositoryRef } from '@vitrine/core';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { firstDecoded, ScopeIds } from './reading.js';

/** Counts what it is asked, and answers with the count. */
class CountingDatabase extends SqliteDatabase {
  asked = 0;

  override number(): number {
    return ++this.asked;
  }
}

describe('the numbers of repositories', () => {
  it('are read once, also if as many repositories are approved as a configuration allows', () => {
    const database = new CountingDatabase(':memory:');
    const scopes = new ScopeIds(database);
    const refs = Array.from({ length: 100_001 }, (_, index): RepositoryRef => `acme/r${index}`);
    const ids = scopes.ofAll(refs);
    expect(scopes.ofAll(refs)).toEqual(ids);
    expect(database.asked).toBe(refs.length);
    database.close();
  });
});

describe('the first rows that can be decoded', () => {
  it('are found behind any number of others', () => {
    const others = 2 ** 18;
    const read = (size: number): readonly number[] => Array.from({ length: Math.min(size, 2 * others) }, (_, index) => index);
    expect(firstDecoded(1, read, (row) => (row < others ? null : row))).toEqual([others]);
  });
});
