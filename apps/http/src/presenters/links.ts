import type { ListedKind, SearchType } from '@vitrine/core';

/** Kinds of records that have an address. */
export type LinkedType = SearchType | Exclude<ListedKind, 'build'>;

/** Where records are found. Every path begins with the base path of the API. */
export interface Links {
  /** The path of a record. @param id its public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  readonly record: (type: LinkedType, id: string) => string;
  /** The path of a repository's hub. */
  readonly hub: (owner: string, name: string) => string;
  /** The paths of the lists of a repository's records; `null` in a copy of the site, which has no filtered lists. */
  readonly lists: (fullName: string) => Readonly<Record<'commits' | 'releases' | 'findings' | 'missions', string | null>>;
}
