import type { PlainRecord, SearchableRecord } from '@vitrine/core';

export function isSearchable(record: PlainRecord): record is SearchableRecord {
  return record.kind !== 'build' && record.kind !== 'video' && record.kind !== 'incident' && record.kind !== 'sync';
}
