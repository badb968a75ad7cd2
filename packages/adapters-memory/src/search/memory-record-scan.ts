import {
  compareText,
  keyOfIdentity,
  pageOf,
  scopeOfRecord,
  searchTimeOf,
  SEARCHED_KINDS,
  type ApprovedRepositories,
  type RecordScan,
  type SearchableRecord,
  type TimePosition,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from '../readers/answer-now.js';

/** Sorts all records for each page. */
export function memoryRecordScan(store: MemoryStore): RecordScan {
  const recordsOf = (approved: ApprovedRepositories, kind: SearchableRecord['kind']): readonly SearchableRecord[] =>
    store.all(kind).filter((record) => approved.admits(scopeOfRecord(record)));
  return {
    page: (approved, { kind, limit, after }, context) =>
      answerNow(context, () => {
        const placed = recordsOf(approved, kind).map((record) => ({ record, position: positionOf(record) }));
        const rest = placed.filter(({ position }) => after === null || compare(position, after) > 0).sort((a, b) => compare(a.position, b.position));
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

function compare(a: TimePosition, b: TimePosition): number {
  return b.time - a.time || compareText(a.id, b.id);
}
