import type { ApprovedRepositories, ChangeSet, IndexReport, PlainRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** A stored record that was written, as the search index needs it. */
export interface ReplacedRecord {
  /** `record.id`: stays the same while the record exists. */
  readonly id: number;
  /** `null` if the record is new, or could not be decoded. */
  readonly before: PlainRecord | null;
  /** `null` if the record was removed. If both are `null`, a record that could not be decoded was removed. */
  readonly after: PlainRecord | null;
}

/** Keeps the search index in line with the records. All methods run in the writer's thread. */
export class SearchWriter {
  constructor(readonly database: SqliteDatabase) {}

  /** Called inside the transaction of the batch, after the record was written. A repository's name counts for all its records. */
  replaced(_record: ReplacedRecord): void {
    // Search is not stored yet.
  }

  /**
   * The next step of `RecordWriter.indexFor`. Called inside a transaction; several calls complete the work, so that no transaction is long.
   *
   * @param changed gets the records that search finds or no longer finds
   * @returns what this step changed; `null` if the index matches the allowlist
   */
  indexNext(_approved: ApprovedRepositories, _changed: ChangeSet): IndexReport | null {
    return null;
  }

  /** Called when a transaction has failed: what was remembered from it may not be stored. */
  forget(): void {
    // Nothing is remembered yet.
  }
}
