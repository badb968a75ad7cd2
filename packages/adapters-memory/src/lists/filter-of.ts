import { acceptedValues, KINDS, textsAt, type FilterValue, type ListedKind, type ListedRecord, type ListFilters } from '@vitrine/core';

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
