import { comparePositions, pageOf, scopeOf, type ListedKind, type RecordOf, type ScopeRef, type TimeListQuery, type TimePage } from '@vitrine/core';
import type { Listed, MemoryStore } from '../memory-store.js';

/** A page of the records of one kind that are in these scopes and pass the test. */
export function listPage<Kind extends ListedKind>(
  store: MemoryStore,
  kind: Kind,
  scopes: readonly ScopeRef[],
  { limit, after, from, to }: TimeListQuery,
  passes: (record: RecordOf<Kind>) => boolean,
): TimePage<RecordOf<Kind>> {
  const isIn = new Set(scopes);
  const found: Listed<RecordOf<Kind>>[] = [];
  for (const { record, position } of store.list(kind)) {
    if (found.length > limit || (from !== null && position.time < from)) break;
    const isOnPage = position.time <= to && (after === null || comparePositions(position, after) > 0);
    if (isOnPage && isIn.has(scopeOf(record)) && passes(record)) found.push({ record, position });
  }
  const { items, next } = pageOf(found, limit, ({ position }) => position);
  return { items: items.map(({ record }) => record), next };
}
