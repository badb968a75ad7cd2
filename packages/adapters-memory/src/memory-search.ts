import {
  compareHits,
  comparePositions,
  isFoundUntil,
  keyOfIdentity,
  kindOfType,
  matchRecord,
  nameOfRef,
  pageOf,
  scopeOf,
  SEARCHED_KINDS,
  searchedRepositoryOf,
  searchPositionOf,
  searchTimeOf,
} from '@vitrine/core';
import type { ApprovedRepositories, RecordScan, SearchableRecord, SearchEntry, SearchReader, SearchWords, TimePosition } from '@vitrine/core';
import type { MemoryStore } from './memory-store.js';
import { answerNow } from './readers/memory-readers.js';

/** Sorts all records for each page. */
export function memoryRecordScan(store: MemoryStore): RecordScan {
  const recordsOf = (approved: ApprovedRepositories, kind: SearchableRecord['kind']): readonly SearchableRecord[] =>
    store.all(kind).filter((record) => approved.admits(scopeOf(record)));
  return {
    page: (approved, { kind, limit, after }, context) =>
      answerNow(context, () => {
        const placed = recordsOf(approved, kind).map((record) => ({ record, position: positionOf(record) }));
        const rest = placed
          .filter(({ position }) => after === null || comparePositions(position, after) > 0)
          .sort((a, b) => comparePositions(a.position, b.position));
        const { items, next } = pageOf(rest.slice(0, limit + 1), limit, ({ position }) => position);
        return { items: items.map(({ record }) => record), next };
      }),
    byKeys: (approved, kind, keys, context) =>
      answerNow(context, () => {
        const wanted = new Set(keys);
        return recordsOf(approved, kind).filter((record) => wanted.has(keyOfIdentity(record)));
      }),
    count: (approved, context) => answerNow(context, () => SEARCHED_KINDS.reduce((sum, kind) => sum + recordsOf(approved, kind).length, 0)),
  };
}

function positionOf(record: SearchableRecord): TimePosition {
  return { time: searchTimeOf(record), id: keyOfIdentity(record) };
}

export function memorySearchReader(store: MemoryStore): SearchReader {
  return {
    search: (approved, { words, types, limit, after, to }, context) =>
      answerNow(context, () => {
        const scopes = new Set(approved.scopes.filter((scope) => store.isSearched(scope)));
        const records = [...new Set(types)].flatMap((type): SearchableRecord[] => store.all(kindOfType(type)));
        const shown = records.filter((record) => scopes.has(scopeOf(record)) && isFoundUntil(record, to));
        const hits = shown.flatMap((record) => hitOf(store, record, words) ?? []);
        const rest = hits.filter(({ position }) => after === null || compareHits(position, after) > 0);
        rest.sort((a, b) => compareHits(a.position, b.position));
        return pageOf(rest.slice(0, limit + 1), limit, ({ position }) => position);
      }),
  };
}

function hitOf(store: MemoryStore, record: SearchableRecord, words: SearchWords): SearchEntry | null {
  const ref = searchedRepositoryOf(record);
  const name = ref === null ? null : (store.find('repository', ref)?.fullName ?? nameOfRef(ref));
  const match = matchRecord(record, name, words);
  return match === null ? null : { position: { tier: match.tier, ...searchPositionOf(record) }, record };
}
