import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist } from '@vitrine/core';
import {
  aFinding,
  approvedSearchContract,
  NOW,
  noninterferenceContract,
  searchContract,
  StandingClock,
  withIndex,
  type ContractCase,
  type OpenStore,
} from '@vitrine/core/testing';
import { aligned, indexBeside, indexOver } from './indexed-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

describe('a search index beside a store', () => {
  const open: OpenStore = async (clock) => withIndex(await openMemoryStore({ clock }), indexBeside);
  const options = { open, context, seed: 20_261_124, runs: torture ? 100 : 1 };

  const keeps = (promises: readonly ContractCase[]): void => {
    it.each(promises)('$name', ({ run }) => run(), torture ? 1_800_000 : 60_000);
  };

  keeps(searchContract(options));
  keeps(approvedSearchContract(options));
  keeps(noninterferenceContract(options));
});

it('says after a restart that nearly all can be found while hidden entries cannot be removed, and so no change can be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-index-'));
  const store = await openMemoryStore({ clock: new StandingClock(NOW) });
  await store.writer.put([aFinding({ id: 'shown' }), aFinding({ id: 'hidden', repositoryRef: 'acme/gadget', title: 'okapi' })], context);
  const first = indexOver(store.scan, store.changeFeed, folder);
  await aligned(first, Allowlist.of('acme/widget', 'acme/gadget').approved());
  const approved = Allowlist.of('acme/widget').approved();
  await first.next(approved, 0, context);
  first.close();
  const second = indexOver(store.scan, store.changeFeed, folder);
  second.database.exec("create trigger full before delete on record begin select raise(abort, 'the disk is full'); end");
  await expect(second.next(approved, 0, context)).rejects.toThrow('the disk is full');
  second.renew();
  expect(second.searchable).toBe(0.99);
  second.database.exec('drop trigger full');
  await aligned(second, approved);
  expect(second.database.number("select count(*) from search_terms where term like '%okapi'")).toBe(0);
  second.close();
  await store.close();
  rmSync(folder, { recursive: true });
});
