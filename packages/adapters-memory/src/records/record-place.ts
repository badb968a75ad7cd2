import { keyOfIdentity, LISTED_KINDS, nameOfRef, scopeOfRecord, SEARCH_TYPES, searchTimeOf } from '@vitrine/core';
import type { SlottedRecord, SlotPlace } from '../slots/slot-table.js';

/** The order of kinds at one time: that of the search types, then the kinds that search leaves out. */
const RANKED: readonly string[] = [...new Set<string>([...SEARCH_TYPES, ...LISTED_KINDS])];

export function rankOf(kind: SlottedRecord['kind']): number {
  return RANKED.indexOf(kind === 'service' ? 'status-service' : kind);
}

/** The position of a record: in the lists of its kind by time, and in search by its fixed place. */
export function placeOf(record: SlottedRecord): SlotPlace {
  // A repository is ordered by its name, which is public. Its ref may contain a forge id.
  const key = record.kind === 'repository' ? nameOfRef(record.repositoryRef) : keyOfIdentity(record);
  return { time: searchTimeOf(record), rank: rankOf(record.kind), key, scope: scopeOfRecord(record) };
}
