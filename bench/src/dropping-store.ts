import { openMemoryStore } from '@vitrine/adapters-memory';
import type { Clock, CollectionReader, RecordWriter, StoredRecord, Sync } from '@vitrine/core';

/** A store that shows each record to `take` and keeps only the last sync record of each source, so that its own time and memory are not measured. */
export async function openDroppingStore(clock: Clock, take: (record: StoredRecord) => void) {
  const empty = await openMemoryStore({ clock });
  const syncs = new Map<string, Sync>();
  const writer: RecordWriter = {
    ...empty.writer,
    put: (records) => {
      for (const record of records) {
        if (record.kind === 'sync') syncs.set(record.id, record);
        take(record);
      }
      return Promise.resolve({ stored: records.length, unchanged: 0, refused: [] });
    },
  };
  const collection: CollectionReader = { ...empty.collection, sync: (id) => Promise.resolve(syncs.get(id) ?? null) };
  return { writer, collection };
}
