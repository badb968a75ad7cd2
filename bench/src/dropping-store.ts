import { openMemoryStore } from '@vitrine/adapters-memory';
import type { Clock, RecordWriter, StoredRecord } from '@vitrine/core';

/** A store that shows each record to `take` and keeps only sync records, so that its own time and memory are not measured. */
export async function openDroppingStore(clock: Clock, take: (record: StoredRecord) => void) {
  const { writer, collection } = await openMemoryStore({ clock });
  const dropping: RecordWriter = {
    ...writer,
    put: (records, context) => {
      records.forEach(take);
      const kept = records.filter(({ kind }) => kind === 'sync');
      return writer.put(kept, context);
    },
  };
  return { writer: dropping, collection };
}
