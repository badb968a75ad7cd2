import { openSqliteStore, type SqliteStoreOptions } from './index.js';

const clock = { now: () => 0 };

describe('openSqliteStore', () => {
  it.each([
    [undefined, 'clock must be an object such as { now: () => Date.now() }, in whole milliseconds, not undefined'],
    [{ path: null }, 'clock must be an object such as { now: () => Date.now() }, in whole milliseconds, not undefined'],
    [{ clock }, 'path must be the path of a folder, or null for temporary files, not undefined'],
    [{ clock, path: '' }, 'path must be the path of a folder, or null for temporary files, not ""'],
    [{ clock, path: 5 }, 'path must be the path of a folder, or null for temporary files, not 5'],
    [{ clock, folder: '.vitrine' }, 'folder is not known. Known are: '],
    [{ clock, path: null, retentionMs: '90d' }, 'retentionMs must be a number of milliseconds, not "90d"'],
    [{ clock, path: null, onWritable: true }, 'onWritable must be a function, not true'],
    [{ clock, path: null, onClockDoubt: {} }, 'onClockDoubt must be a function, not an object'],
    [{ clock, path: null, mustExists: true }, 'mustExists is not known. Did you mean mustExist?'],
  ])('opens nothing with the options %j', async (options, message) => {
    await expect(openSqliteStore(options as unknown as SqliteStoreOptions)).rejects.toThrow(`openSqliteStore: ${message}`);
  });
});
