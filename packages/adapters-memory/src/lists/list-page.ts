import { comparePositions, pageOf, scopeOf, type ListedKind, type RecordOf, type ScopeRef, type TimeListQuery, type TimePage } from '@vitrine/core';
import type { Listed, MemoryStore } from '../memory-store.js';

/** A page of the records of one kind that are in these scopes and pass the test. */
export function listPage<Kind extends ListedKind>(
  store: MemoryStore,
  kind: Kind,
  scopes: readonly ScopeRef[],
  query: TimeListQuery,
  passes: (record: RecordOf<Kind>) => boolean,
): TimePage<RecordOf<Kind>> {
  const isIn = new Set(scopes);
  const found: Listed<RecordOf<Kind>>[] = [];
  for (const listed of store.list(kind)) {
    if (found.length > query.limit) break;
    if (isAsked(listed, query) && isIn.has(scopeOf(listed.record)) && passes(listed.record)) found.push(listed);
  }
  const { items, next } = pageOf(found, query.limit, ({ position }) => position);
  return { items: items.map(({ record }) => record), next };
}

function isAsked({ position }: Listed, { after, from, to }: TimeListQuery): boolean {
  return position.time <= to && (from === null || position.time >= from) && (after === null || comparePositions(position, after) > 0);
}
