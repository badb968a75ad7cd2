import { isUnresolved, type ListedRecord } from '@vitrine/core';

/** A filter that a record fulfils, as `field=value`. */
export type FilterKey = `${string}=${string}`;

/** The filter of incidents that are not over. */
export const UNRESOLVED: FilterKey = 'unresolved=true';

/** Every filter that the record fulfils; each has an index of its own. User text stands in keys of maps only, never of objects. */
export function filterKeysOf(record: ListedRecord): readonly FilterKey[] {
  switch (record.kind) {
    case 'commit':
      return [...present('branch', record.branch), ...present('changeType', record.changeType), ...authorKeys(record.authorLogin, record.authorName)];
    case 'release':
      return [...present('platform', record.platform), `releaseType=${record.releaseType}`];
    case 'finding':
      return [`status=${record.status}`, `changeType=${record.changeType}`];
    case 'mission':
      return [`status=${record.status}`];
    case 'news':
      return [`source=${record.source}`];
    case 'article':
      return [`articleKind=${record.articleKind}`, `language=${record.language}`, ...new Set(record.tags.map((tag) => `tag=${tag}` as const))];
    case 'video':
      return [`source=${record.provenance.source}`];
    case 'incident':
      return [
        `state=${record.state}`,
        ...(isUnresolved(record) ? [UNRESOLVED] : []),
        ...new Set(record.services.map(({ key }) => `service=${key}` as const)),
      ];
    case 'build':
      return [];
  }
}

/** The keys of an author as a user names one: a login in any case, or an exact name. */
export function authorFilter(author: string): readonly FilterKey[] {
  return [`login=${author.toLowerCase()}`, `name=${author}`];
}

function authorKeys(login: string, name: string): readonly FilterKey[] {
  return [...(login === '' ? [] : [`login=${login.toLowerCase()}` as const]), `name=${name}`];
}

/** One filter of a query: no key when any value will do, several when any of them will. */
export function present(field: string, value: string | null): readonly FilterKey[] {
  return value === null ? [] : [`${field}=${value}`];
}
