import type { Check, DaySlice, DaysQuery, EvidenceQuery, ReadContext, ServiceEvidence, StoredRecord, TimeListQuery, TimePage } from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';

/** Runs in the thread of readers. */
export class SqliteCheckReader {
  constructor(readonly reading: SqliteReading) {}

  evidence(_query: EvidenceQuery, _context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    return Promise.resolve(new Map());
  }

  list(_serviceKey: string, _query: TimeListQuery, _context: ReadContext): Promise<TimePage<Check>> {
    return Promise.reject(new Error('checks are not stored yet'));
  }

  days(_serviceKey: string, _query: DaysQuery, _context: ReadContext): Promise<readonly DaySlice[]> {
    return Promise.reject(new Error('checks are not stored yet'));
  }

  /**
   * A part of the export: checks, and the counts of days whose checks are gone.
   *
   * @param after what the part before returned as `next`; `null` for the first part
   */
  recordsAfter(_after: string | null): { readonly records: readonly StoredRecord[]; readonly next: string | null } {
    return { records: [], next: null };
  }
}
