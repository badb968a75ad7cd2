import {
  acceptedValues,
  comparePositions,
  KINDS,
  pageOf,
  scopeOf,
  textsAt,
  type FilterValue,
  type ListedKind,
  type ListedRecord,
  type ListFilters,
  type RecordOf,
  type ScopeRef,
  type TimeListQuery,
  type TimePage,
} from '@vitrine/core';
import type { Listed, MemoryStore } from '../memory-store.js';

/** A page of the records of one kind that pass both tests: one of their scope, and one of themselves. */
export function listPage<Kind extends ListedKind>(
  store: MemoryStore,
  kind: Kind,
  isIn: (scope: ScopeRef) => boolean,
  query: TimeListQuery,
  passes: (record: RecordOf<Kind>) => boolean,
): TimePage<RecordOf<Kind>> {
  const found: Listed<RecordOf<Kind>>[] = [];
  for (const listed of store.list(kind)) {
    if (found.length > query.limit) break;
    if (isAsked(listed, query) && isIn(scopeOf(listed.record)) && passes(listed.record)) found.push(listed);
  }
  const { items, next } = pageOf(found, query.limit, ({ position }) => position);
  return { items: items.map(({ record }) => record), next };
}

function isAsked({ position }: Listed, { after, from, to }: TimeListQuery): boolean {
  return position.time <= to && (from === null || position.time >= from) && (after === null || comparePositions(position, after) > 0);
}

/** The filters of a query for the list of a kind, as one test. */
export function filterOf<Kind extends ListedKind>(kind: Kind, query: ListFilters<Kind>): (record: ListedRecord) => boolean {
  const values: Readonly<Record<string, FilterValue>> = query;
  const asked = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) => {
    const accepted = acceptedValues(values[name]);
    return accepted === null ? [] : [accepted.map((value) => testOf(path, value))];
  });
  return (record) => asked.every((tests) => tests.some((test) => test(record)));
}

function testOf(path: string, value: string): (record: ListedRecord) => boolean {
  const names = path.split('.');
  return path === 'author' ? (record) => isAuthor(record, value) : (record) => textsAt(record, names).includes(value);
}

/** A user names an author by a login in any letter case, or by an exact name. */
function isAuthor(record: ListedRecord, value: string): boolean {
  if (record.kind !== 'commit') return false;
  const { authorLogin, authorName } = record;
  return authorName === value || (authorLogin !== '' && authorLogin.toLowerCase() === value.toLowerCase());
}
