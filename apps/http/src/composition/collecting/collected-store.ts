import type { CollectionReader, ConfigurationReader, RecordWriter } from '@vitrine/core';
import type { Logger } from 'pino';
import type { Collecting } from './collecting-in-turn.js';
import type { Assignment } from './messages.js';

/** The target of the collection. */
export interface CollectedInto {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
}

/** The store of a collector. */
export interface CollectedStore {
  readonly configurations: ConfigurationReader;
  /** Writes without a lease, while other processes may write too. `null` if every write to the store needs a lease. */
  readonly withoutLease: CollectedInto | null;
  /** Collects while this process has the lease, and waits for it otherwise. */
  readonly collectInTurn: (begin: (into: CollectedInto) => Collecting) => Collecting;
  readonly close: () => Promise<void>;
}

/** Facts about a store that its collector needs, besides records. */
export interface StoreReports {
  readonly logger: Logger;
  /** Hears once each time that another process collects, and this one waits. */
  readonly print: (line: string) => void;
  readonly onWritable: (isWritable: boolean) => void;
}

/** Opens the store of an assignment. A folder exists already; a database may come later. */
export async function openCollectedStore({ config: { store }, folder, holder }: Assignment, reports: StoreReports): Promise<CollectedStore> {
  if (store.kind === 'embedded') {
    if (folder === null) throw new TypeError('An embedded store needs a folder.');
    const { openCollectedFolder } = await import('./collected-folder.js');
    return openCollectedFolder({ ...store, path: folder }, holder, reports);
  }
  // A collector without a database does not load its driver.
  const { openCollectedDatabase } = await import('./collected-database.js');
  return openCollectedDatabase(store, holder, reports);
}
