import { acceptedValues, isUnresolved, KINDS, textsAt, type FilterValue, type ListedKind, type ListedRecord } from '@vitrine/core';

/** The name of one list: all records of a kind, or those that match one value of one filter. */
export type ListName = ListedKind | `${ListedKind} ${string}=${string}`;

/** The incidents that are not over. */
export const UNRESOLVED: ListName = 'incident unresolved=true';
/** Planned maintenance, which is shown before its time. */
export const MAINTENANCE: ListName = 'incident kind=maintenance';

/** Every list that the record is in. */
export function listsOf(record: ListedRecord): readonly ListName[] {
  const { kind } = record;
  const values = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) =>
    textsAt(record, path.split('.')).map((value) => `${kind} ${name}=${value}` as const),
  );
  return [kind, ...new Set([...values, ...specialLists(record)])];
}

/** The lists that together contain the records of a kind with this value of a filter. */
function listsWith(kind: ListedKind, filter: string, value: string): readonly ListName[] {
  if (filter !== 'author') return [`${kind} ${filter}=${value}`];
  return [`${kind} login=${value.toLowerCase()}`, `${kind} name=${value}`];
}

/** The filters that are set, the most selective first. Each one is the lists of which a record must be in one. */
export function filterLists(kind: ListedKind, query: object): readonly (readonly ListName[])[] {
  const values = query as Readonly<Record<string, FilterValue | undefined>>;
  return Object.keys(KINDS[kind].filters).flatMap((filter) => {
    const accepted = acceptedValues(values[filter]);
    return accepted === null ? [] : [accepted.flatMap((value) => listsWith(kind, filter, value))];
  });
}

/** The lists whose name is not the value of one field. */
function specialLists(record: ListedRecord): readonly ListName[] {
  if (record.kind === 'commit') {
    const login = record.authorLogin.toLowerCase();
    return [...(login === '' ? [] : [`commit login=${login}` as const]), `commit name=${record.authorName}`];
  }
  if (record.kind !== 'incident') return [];
  return [...(isUnresolved(record) ? [UNRESOLVED] : []), `incident kind=${record.incidentKind}`];
}
