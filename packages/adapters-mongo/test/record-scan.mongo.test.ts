import { recordScanContract } from '@vitrine/core/testing';
import { describeMongo, reusedDatabases } from '@vitrine/test-support';
import { initStore, openMongoStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const runs = process.env['VITRINE_TORTURE'] === '1' ? 50 : 1;

describeMongo('the scan of records on MongoDB', (databases) => {
  const reused = reusedDatabases(databases, initStore);
  const open: Parameters<typeof recordScanContract>[0]['open'] = (clock) => reused((db) => openMongoStore(db, { clock }));

  it.each(recordScanContract({ open, context, seed: 20_261_124, runs }))('$name', ({ run }) => run(), 600_000);
});
