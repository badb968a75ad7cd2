import { aCommit } from '@vitrine/core/testing';
import { FakeStore } from '../testing/fake-store.js';
import { RecordBatches } from './record-batches.js';

describe('RecordBatches', () => {
  const { signal } = new AbortController();

  it('writes few records first, so that they are visible early, and more with each batch', async () => {
    const store = new FakeStore();
    const batches = new RecordBatches({ writer: store, signal });
    for (let at = 0; at < 2_000; at++) await batches.add(aCommit({ sha: at.toString(16).padStart(40, '0') }));
    expect(await batches.finish()).toMatchObject({ stored: 2_000, unchanged: 0 });
    expect(store.batches).toEqual([20, 40, 80, 160, 320, 500, 500, 380]);
  });

  it('gives refused records by their places among all records', async () => {
    const store = new FakeStore();
    const shas = Array.from({ length: 100 }, (_, at) => at.toString(16).padStart(40, '0'));
    store.refuse = (record) => (record.kind === 'commit' && [shas[3], shas[50], shas[99]].includes(record.sha) ? 'foreign-id' : null);
    const batches = new RecordBatches({ writer: store, signal });
    for (const sha of shas) await batches.add(aCommit({ sha }));
    const { stored, refusedRecords } = await batches.finish();
    expect([stored, refusedRecords.map(({ index }) => index)]).toEqual([97, [3, 50, 99]]);
  });

  it('passes on the error of the writer, and then accepts nothing more', async () => {
    const store = new FakeStore();
    store.put = () => Promise.reject(new Error('the store is gone'));
    const batches = new RecordBatches({ writer: store, signal });
    await expect(
      (async () => {
        for (let at = 0; at < 100; at++) await batches.add(aCommit());
      })(),
    ).rejects.toThrow('the store is gone');
  });
});
