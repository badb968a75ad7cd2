import { KINDS, type Commit, type FilterOf, type Incident, type ListedKind, type RecordOf } from '@vitrine/core';

type Test<Kind extends ListedKind> = (record: RecordOf<Kind>, value: string) => boolean;

/** When a record passes each filter of its kind's list. */
const TESTS: { readonly [Kind in ListedKind]: { readonly [Name in FilterOf<Kind>]: Test<Kind> } } = {
  commit: {
    branch: ({ branch }, value) => branch === value,
    author: isAuthor,
    changeType: ({ changeType }, value) => changeType === value,
  },
  release: {
    platform: ({ platform }, value) => platform === value,
    releaseType: ({ releaseType }, value) => releaseType === value,
  },
  finding: {
    status: ({ status }, value) => status === value,
    changeType: ({ changeType }, value) => changeType === value,
  },
  build: {},
  mission: { status: ({ status }, value) => status === value },
  news: { source: ({ source }, value) => source === value },
  article: {
    articleKind: ({ articleKind }, value) => articleKind === value,
    tag: ({ tags }, value) => tags.includes(value),
    language: ({ language }, value) => language === value,
  },
  video: { source: ({ provenance }, value) => provenance.source === value },
  incident: {
    state: ({ state }, value) => state === value,
    service: ({ services }: Incident, value) => services.some(({ key }) => key === value),
    covers: ({ covers = [] }: Incident, value) => covers.includes(value),
  },
};

/** The filters of a query for the list of a kind, as one test. */
export function filterOf<Kind extends ListedKind>(
  kind: Kind,
  query: { readonly [Name in FilterOf<Kind>]: string | null },
): (record: RecordOf<Kind>) => boolean {
  const tests: Readonly<Record<string, Test<Kind>>> = TESTS[kind];
  const values: Readonly<Record<string, string | null>> = query;
  const asked = KINDS[kind].filters.flatMap((name) => {
    const [test, value] = [tests[name], values[name] ?? null];
    return test === undefined || value === null ? [] : [(record: RecordOf<Kind>) => test(record, value)];
  });
  return (record) => asked.every((test) => test(record));
}

/** A user names an author by a login in any letter case, or by an exact name. */
function isAuthor({ authorLogin, authorName }: Commit, value: string): boolean {
  return authorName === value || (authorLogin !== '' && authorLogin.toLowerCase() === value.toLowerCase());
}
