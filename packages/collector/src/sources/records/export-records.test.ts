import { Writable } from 'node:stream';
import type { CollectionReader } from '@vitrine/core';
import { exportRecords } from './export-records.js';

describe('an export to a reader that does not read', () => {
  it.each(['before the last text', 'while the last text is written'])('ends when it is stopped %s', async (moment) => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const isEarly = moment.startsWith('before');
    const output = new Writable({
      write: () => {
        setTimeout(() => stop.abort(reason));
      },
    });
    const collection = {
      services: () => Promise.resolve([]),
      statements: async function* () {
        await Promise.resolve();
        if (isEarly) stop.abort(reason);
      },
    } as unknown as CollectionReader;
    await expect(exportRecords({ file: 'out', output, collection, signal: stop.signal })).rejects.toBe(reason);
  });
});
