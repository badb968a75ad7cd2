import { KINDS, textsAt, type FilterOf, type ListedKind, type ListedRecord } from '@vitrine/core';

/** The filters of a query for the list of a kind, as one test. */
export function filterOf<Kind extends ListedKind>(
  kind: Kind,
  query: { readonly [Name in FilterOf<Kind>]: string | null },
): (record: ListedRecord) => boolean {
  const values: Readonly<Record<string, string | null>> = query;
  const asked = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) => {
    const value = values[name] ?? null;
    return value === null ? [] : [testOf(path, value)];
  });
  return (record) => asked.every((test) => test(record));
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
