import {
  keyOfIdentity,
  nameOfRef,
  NO_REPOSITORY,
  REPOSITORY_SEARCH_TIME,
  scopeOf,
  SEARCH_TYPES,
  SERVICE_SEARCH_TIME,
  timeOf,
  type ScopeRef,
} from '@vitrine/core';
import type { SlottedRecord, SlotPlace } from '../slots/slot-table.js';

/** The order of kinds at one time: that of the search types, then the kinds that search leaves out. */
const RANKED: readonly string[] = [...SEARCH_TYPES, 'build', 'incident', 'video'];

export function rankOf(kind: SlottedRecord['kind']): number {
  return RANKED.indexOf(kind === 'service' ? 'status-service' : kind);
}

/** Where a record stands among all: in its kind's lists by time, and in search by its fixed place. */
export function placeOf(record: SlottedRecord): SlotPlace {
  // A repository is placed by its name alone, which is public; its ref may hold a forge id.
  const key = record.kind === 'repository' ? nameOfRef(record.repositoryRef) : keyOfIdentity(record);
  return { time: placeTime(record), rank: rankOf(record.kind), key, scope: scopeOfRecord(record) };
}

export function scopeOfRecord(record: SlottedRecord): ScopeRef {
  if (record.kind === 'service') return NO_REPOSITORY;
  return record.kind === 'repository' ? record.repositoryRef : scopeOf(record);
}

function placeTime(record: SlottedRecord): number {
  if (record.kind === 'service') return SERVICE_SEARCH_TIME;
  return record.kind === 'repository' ? REPOSITORY_SEARCH_TIME : timeOf(record);
}
