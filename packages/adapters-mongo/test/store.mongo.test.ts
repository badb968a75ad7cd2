import { keyOfIdentity, type ListedRecord } from '@vitrine/core';
import {
  checkContract,
  damagedRecordContract,
  LIST_SPECS,
  NOW,
  searchContract,
  storeContract,
  type ContractCase,
  type OpenStore,
} from '@vitrine/core/testing';
import { describeMongo, reusedDatabases, sampled } from '@vitrine/test-support';
import type { StoredDocument } from '../src/documents/codec.js';
import { specOf } from '../src/documents/documents.js';
import { initStore, openMongoStore } from '../src/index.js';
import { indexed } from './support/indexed.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const seed = 20_261_121;
const runs = torture ? 100 : 1;
/**
 * The records of all kinds are read in one way, and the index of search is the same for every store. A normal run takes all promises for one kind, and few for each other
 * kind; every other one of vouching; one of those about the ends of calls, because all readers end them in one place; and of search those that depend on how writes reach
 * the index.
 */
const isInSample = ({ name }: ContractCase, index: number): boolean => {
  if (torture) return true;
  if (name.startsWith('search')) return /follows|loses/.test(name);
  if (/: `signal`/.test(name)) return name.startsWith('release list');
  if (name.startsWith('vouching')) return index % 2 === 0;
  return !/ (?:list|by id|alone): /.test(name) || name.startsWith('release ') || index % 24 === 0;
};
const context = { signal: new AbortController().signal };

describeMongo('MongoDB', (databases) => {
  const reused = reusedDatabases(databases, initStore);
  const open: OpenStore = (clock) => reused((db) => indexed(openMongoStore(db, { clock })));

  const keeps = (promises: readonly ContractCase[]) => {
    it.each(promises)('$name', ({ run }) => run(), torture ? 1_800_000 : 60_000);
  };

  describe('as a store', () => {
    keeps(storeContract({ open, context, seed, runs }).filter(isInSample));
  });

  describe('with damaged documents', () => {
    const openDamageable = () =>
      reused((db) => {
        const { readers, writer, close } = indexed(openMongoStore(db, { clock: { now: () => NOW } }));
        return {
          readers,
          fill: (records: readonly ListedRecord[]) => writer.put(records, context),
          close,
          damage: (record: ListedRecord) =>
            db
              .collection<StoredDocument>(specOf(record.kind).collection)
              .updateOne({ _id: keyOfIdentity(record) }, { $unset: { provenance: '' } }, { bypassDocumentValidation: true }),
        };
      });
    keeps(damagedRecordContract({ kinds: sampled(LIST_SPECS, 4).map(({ kind }) => kind), open: openDamageable }));
  });

  // The store contract includes the same cases, with as much random data as a normal run needs.
  if (torture)
    describe('with more random data', () => {
      keeps(checkContract({ open, context, seed: seed + runs, runs }));
      keeps(searchContract({ open, context, seed: seed + runs, runs }));
    });
});
