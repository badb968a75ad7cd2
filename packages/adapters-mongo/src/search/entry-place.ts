import { keyOfIdentity, scopeOfRecord, searchTimeOf, searchTypeOf, type SearchableRecord, type SearchPosition, type SearchType } from '@vitrine/core';
import { positionId } from './segments/position.js';
import type { SegmentEntry } from './segments/segment.js';

/** The position of a record in the order of hits, with its key and its scope. */
export interface EntryPlace extends Omit<SearchPosition, 'tier'>, Pick<SegmentEntry, 'recordKey' | 'repositoryRef'> {}

export function placeOfRecord(record: SearchableRecord): EntryPlace {
  const [type, recordKey] = [searchTypeOf(record), keyOfIdentity(record)];
  return { type, recordKey, id: positionId(type, recordKey), time: searchTimeOf(record), repositoryRef: scopeOfRecord(record) };
}

/** A key that is unique over all record types. */
export function entryKey(type: SearchType, recordKey: string): string {
  return `${type} ${recordKey}`;
}
