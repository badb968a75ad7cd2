import type { Clock, ClockDoubt } from '@vitrine/core';
import { ActivityWriter } from '../activity/activity-counts.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { FileIdentity } from '../folder/store-folder-error.js';
import { SqliteReading } from '../readers/sqlite-reading.js';
import { SearchWriter } from '../search/search-writer.js';
import { CheckWriter } from '../status/check-writer.js';
import { RecordTable } from './record-table.js';

interface WriterOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
  readonly onClockDoubt: (doubt: ClockDoubt) => void;
}

/** Everything that a batch writes to, over one connection. */
export class WriterTables {
  readonly reading: SqliteReading;
  readonly records: RecordTable;
  readonly activity: ActivityWriter;
  readonly search: SearchWriter;
  readonly checks: CheckWriter;

  constructor(
    readonly database: SqliteDatabase,
    options: WriterOptions,
  ) {
    this.reading = new SqliteReading(database, options.clock, null);
    this.activity = new ActivityWriter(database);
    this.records = new RecordTable(database, this.reading.scopes, this.activity);
    this.search = new SearchWriter(database);
    this.checks = new CheckWriter(database, options);
  }

  /** Call this when a transaction has failed. It forgets cached values that may not be stored. */
  forget(): void {
    this.reading.scopes.forget();
    this.records.forget();
    this.activity.forget();
    this.search.forget();
    this.checks.forget();
  }
}

export interface StoreWriterOptions extends WriterOptions {
  readonly file: string;
  readonly identity: FileIdentity;
  /** Called when readers see that a transaction has changed something, before its call resolves. */
  readonly onChanged: () => void;
}
