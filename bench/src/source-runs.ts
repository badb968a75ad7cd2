import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { createSources, loadConfig, Scheduler, type Source } from '@vitrine/collector';
import type { Clock, RecordStore, SourceType } from '@vitrine/core';
import { mustBe } from './measure.js';

export const realClock = { now: () => Date.now() };

export interface ConfiguredOptions {
  /** The folder in which sources keep files. */
  readonly folder?: string;
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The sources of one type that a configuration has. */
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

/** Calls a function with a new store in a folder. */
export async function withStore<Result>(path: string, use: (store: RecordStore) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore({ clock: realClock, path });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
