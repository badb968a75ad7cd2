import { openSqliteStore, type SqliteStoreOptions } from './index.js';

const clock = { now: () => 0 };

describe('openSqliteStore', () => {
  it.each([undefined, {}, { path: null }, { clock }, { clock, folder: '.vitrine' }])(
    'opens nothing without a clock and a path: %j',
    async (options) => {
      await expect(openSqliteStore(options as unknown as SqliteStoreOptions)).rejects.toThrow('openSqliteStore needs a clock and a path.');
    },
  );
});
