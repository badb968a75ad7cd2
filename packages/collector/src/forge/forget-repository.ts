import type { RecordIdentity, RepositoryRef, Sync } from '@vitrine/core';
import type { SourceContext } from '../source.js';

const BATCH = 1_000;

/**
 * Removes every record of a repository, of all its sources, and clears their state. What a records file says about the
 * repository stays stored, and hidden. Reads the whole store, so it is called once only. Resolves with the number of records that were removed.
 *
 * @param own the id of the sync record of the source that calls
 */
export async function forgetRepository(ref: RepositoryRef, own: string, { writer, collection, signal }: SourceContext): Promise<number> {
  const context = { signal };
  const syncs: Sync[] = [];
  let removed = 0;
  let batch: RecordIdentity[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) removed += await writer.remove(batch, context);
    batch = [];
  };
  for await (const record of collection.records(context)) {
    if (!('repositoryRef' in record) || record.repositoryRef !== ref) continue;
    if (record.kind === 'sync') syncs.push(record);
    else batch.push(record);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  for (const { id } of syncs) removed += await writer.withdraw(id, context);
  const others = syncs.filter(({ id }) => id !== own).map((sync) => ({ ...sync, state: null }));
  if (others.length > 0) await writer.put(others, context);
  return removed;
}
