import { positionOf, UnavailableError, type ListedKind, type ListedRecord, type RecordStore } from '@vitrine/core';
import type { DamageableStore, LosableStore } from '@vitrine/core/testing';
import { openMemoryStore } from '../../src/index.js';
import { withEveryReader, type Method } from './broken-store.js';

type Faulty = DamageableStore<ListedKind> & LosableStore<ListedKind> & RecordStore;

/** How a reader handles a record that it cannot decode, and a database that it cannot reach. */
export interface Manners {
  /** Whether pages are filled as if the database did not contain the damaged records. */
  readonly refills: boolean;
  readonly onDamaged: 'null' | 'throw' | 'guess';
  readonly onLost: 'unavailable' | 'empty' | 'throw';
}

export const GOOD: Manners = { refills: true, onDamaged: 'null', onLost: 'unavailable' };

/** A store in memory that simulates a database whose documents can be damaged, and which can be lost. */
export async function openFaulty({ refills, onDamaged, onLost }: Manners): Promise<Faulty> {
  const store = await openMemoryStore({ clock: { now: () => 0 } });
  const context = { signal: new AbortController().signal };
  const damaged = new Set<string>();
  let isLost = false;
  const keyOf = (record: ListedRecord) => JSON.stringify([record.kind, positionOf(record)]);
  const read = (record: ListedRecord): ListedRecord[] => {
    if (!damaged.has(keyOf(record)) || onDamaged === 'guess') return [record];
    if (onDamaged === 'throw') throw new TypeError('a field is missing');
    return [];
  };
  const answer = (found: ListedRecord | readonly ListedRecord[] | null) => {
    if (found === null) return null;
    return Array.isArray(found) ? found.flatMap(read) : (read(found as ListedRecord)[0] ?? null);
  };
  const asked =
    (method: string, right: Method): Method =>
    async (...args) => {
      if (isLost && onLost === 'throw') throw new RangeError('connection refused');
      if (isLost && onLost === 'unavailable') throw new UnavailableError();
      if (isLost) return method === 'list' ? { items: [], next: null } : null;
      if (method !== 'list') return answer(await right(...args));
      const page = await right(...args);
      const items = page.items.flatMap(read);
      return { ...page, items };
    };
  const faulty = withEveryReader(store, asked);
  return {
    ...faulty,
    close: () => store.close(),
    fill: (records) => store.writer.put(records, context),
    damage: async (record) => {
      damaged.add(keyOf(record));
      if (refills && onDamaged === 'null') await store.writer.remove([record as never], context);
    },
    lose: async () => {
      isLost = true;
    },
  };
}
