import { isUnresolved, type ListedKind, type ListedRecord } from '@vitrine/core';

/** The name of one list: all records of a kind, or those that match one value of one filter. */
export type ListName = ListedKind | `${ListedKind} ${string}=${string}`;

/** The incidents that are not over. */
export const UNRESOLVED: ListName = 'incident unresolved=true';
/** Planned maintenance, which is shown before its time. */
export const MAINTENANCE: ListName = 'incident kind=maintenance';

/** A filter matches few records of the list, compared with the filters after it. */
const MOST_SELECTIVE_FIRST = ['author', 'tag', 'covers', 'service', 'changeType', 'platform', 'articleKind'];

/** Every list that the record is in. */
export function listsOf(record: ListedRecord): readonly ListName[] {
  const { kind } = record;
  const values = new Set(
    valuesOf(record)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => `${kind} ${field}=${value ?? ''}` as const),
  );
  return [kind, ...values];
}

/** The lists that together contain the records of a kind with this value of a filter. */
function listsWith(kind: ListedKind, filter: string, value: string): readonly ListName[] {
  if (filter !== 'author') return [`${kind} ${filter}=${value}`];
  return [`${kind} login=${value.toLowerCase()}`, `${kind} name=${value}`];
}

/** The filters that are set, in the order in which an index should be chosen for them. Each one is the lists of which a record must be in one. */
export function filterLists(kind: ListedKind, filters: readonly (readonly [name: string, value: string | null])[]): readonly (readonly ListName[])[] {
  return [...filters]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .flatMap(([filter, value]) => (value === null ? [] : [listsWith(kind, filter, value)]));
}

function rankOf(filter: string): number {
  const rank = MOST_SELECTIVE_FIRST.indexOf(filter);
  return rank < 0 ? MOST_SELECTIVE_FIRST.length : rank;
}

type Value = readonly [field: string, value: string | null];

function valuesOf(record: ListedRecord): readonly Value[] {
  switch (record.kind) {
    case 'commit':
      return [
        ['branch', record.branch],
        ['changeType', record.changeType],
        ['login', record.authorLogin.toLowerCase() || null],
        ['name', record.authorName],
      ];
    case 'release':
      return [
        ['platform', record.platform],
        ['releaseType', record.releaseType],
      ];
    case 'finding':
      return [
        ['status', record.status],
        ['changeType', record.changeType],
      ];
    case 'mission':
      return [['status', record.status]];
    case 'news':
      return [['source', record.source]];
    case 'article':
      return [['articleKind', record.articleKind], ['language', record.language], ...record.tags.map((tag): Value => ['tag', tag])];
    case 'video':
      return [['source', record.provenance.source]];
    case 'incident':
      return [
        ['state', record.state],
        ['unresolved', isUnresolved(record) ? 'true' : null],
        ['kind', record.incidentKind],
        ...record.services.map(({ key }): Value => ['service', key]),
        ...(record.covers ?? []).map((id): Value => ['covers', id]),
      ];
    case 'build':
      return [];
  }
}
