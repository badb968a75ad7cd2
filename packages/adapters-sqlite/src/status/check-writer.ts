import type { ChangeSet, Check, Clock, ClockDoubt, DayTally, RecordIdentity } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

export interface CheckWriterOptions {
  /** Shows the time of the running call. */
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly onClockDoubt: (doubt: ClockDoubt) => void;
}

/** Writes checks and daily counts. All methods run in the writer's thread, inside the transaction of a batch. */
export class CheckWriter {
  constructor(
    readonly database: SqliteDatabase,
    readonly options: CheckWriterOptions,
  ) {}

  put(_check: Check): 'stored' | 'unchanged' | 'frozen-day' {
    throw new Error('checks are not stored yet');
  }

  putTally(_tally: DayTally): 'stored' | 'unchanged' | 'frozen-day' | 'open-day' {
    throw new Error('checks are not stored yet');
  }

  remove(_identity: Extract<RecordIdentity, { readonly kind: 'check' }>): boolean {
    throw new Error('checks are not stored yet');
  }

  removeTally(_identity: Extract<RecordIdentity, { readonly kind: 'status-day' }>): boolean {
    throw new Error('checks are not stored yet');
  }

  /** Called at the end of each batch, for what is derived from its checks. */
  finish(_changed: ChangeSet): void {
    // Nothing was written.
  }

  /** Deletes raw checks that are older than the retention, and keeps the counts of their days. Called before each call that puts records. */
  freezeOverdue(_changed: ChangeSet): void {
    // There are no checks yet.
  }

  /** Called when a transaction has failed: what was remembered from it may not be stored. */
  forget(): void {
    // Nothing is remembered yet.
  }
}
