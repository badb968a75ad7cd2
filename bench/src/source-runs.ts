import { openMemoryStore } from '@vitrine/adapters-memory';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { createSources, loadConfig, Scheduler, type Source } from '@vitrine/collector';
import type { Clock, CollectionReader, RecordStore, RecordWriter, SourceType, StoredRecord, Sync } from '@vitrine/core';
import { mustBe } from './measure.js';

export const realClock = { now: () => Date.now() };

export interface ConfiguredOptions {
  /** The folder in which sources keep files. */
  readonly folder?: string;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export function configuredSources(text: string, type: SourceType, { folder = '', ...more }: ConfiguredOptions = {}): readonly Source[] {
  const config = loadConfig({ text, file: 'vitrine.yaml', env: {} });
  return createSources(config, { folder, origin: null, ...more }).filter(({ registration }) => registration?.sourceType === type);
}

/** Runs each source once. The number of new or changed records, not counting sync records. Throws a `WrongAnswerError` if a source fails. */
export async function collected({ writer, collection }: RecordStore, sources: readonly Source[]): Promise<number> {
  const errors: unknown[] = [];
  const scheduler = new Scheduler({ writer, collection, clock: realClock, onError: (_source, error) => errors.push(error) });
  const outcomes = await scheduler.runOnce(sources);
  await scheduler.stop();
  mustBe('failures', errors, []);
  return outcomes.reduce((total, { report }) => total + (report?.stored ?? 0), 0);
}

export async function withStore<Result>(path: string, use: (store: RecordStore) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore({ clock: realClock, path });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

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
