import type { RepositoryRef } from '@vitrine/core';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { ScopeIds } from './reading.js';

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
