import type { StoredRecord, SyncedKind, Instant, RepositoryName, RepositoryRef } from '@vitrine/core';
import type { PullRequest } from '../findings/pull-requests.js';
import type { ForgeAddresses, ForgeStyle } from '../git/forge-addresses.js';

/** The values that all records of one forge source share. */
export interface ForgeOrigin {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  /** The public addresses. All shown ones are built from them, and never taken from responses. */
  readonly addresses: ForgeAddresses;
  /** The name of the origin in its records. */
  readonly label: string;
  /** For ids: `github`. */
  readonly type: ForgeType;
}

export type ForgeType = 'github' | 'gitea' | 'gitlab';

/** A repository as its forge describes it. */
export interface ForgeRepository {
  /** Every immutable id that it has. The first one is the usual one. */
  readonly ids: readonly [string, ...string[]];
  readonly isPublic: boolean;
  readonly defaultBranch: string | null;
  readonly description: string | null;
  readonly language: string | null;
  /** The lists that only members may see, so that they are not read. */
  readonly withheld: readonly (ListKind | 'pull request')[];
}

export type ListKind = Extract<SyncedKind, 'release' | 'build' | 'mission' | 'commit'>;

/** A page of a list. */
export interface ForgePage {
  readonly records: readonly StoredRecord[];
  /** The ids under which the source removes the records later. */
  readonly ids: readonly string[];
  /** How many items could not be used. */
  readonly invalid: number;
}

/** One list of a repository. */
export interface ForgeList {
  readonly kind: ListKind;
  /** Below the address of the repository, with a query. */
  readonly path: string;
  readonly mostPages: number;
  /**
   * `all`: exactly the listed items are shown. `newest`: the same for the newest items only. `stream`: pages after the first one are only read until something
   * known appears, and nothing is removed.
   */
  readonly reading: 'all' | 'newest' | 'stream';
  /** Pure. `null` if the document is not such a list. @param now for times that the forge does not say */
  readonly read: (json: unknown, origin: ForgeOrigin, now: Instant) => ForgePage | null;
}

/** A pull request from a branch of the repository itself. */
export interface ForgePullRequest extends PullRequest {
  readonly number: number;
  readonly updatedAt: Instant;
  /** Who opened it, if the forge lets everybody open one between two branches of a repository; `null` if the team did. */
  readonly opener: number | null;
}

/** What a list says about one pull request. */
export interface ListedPullRequest {
  readonly number: number;
  readonly updatedAt: Instant;
  /** `null` if it comes from a fork, or if its branch or its last commit is not known any more. */
  readonly own: ForgePullRequest | null;
}

/** A page of the list of pull requests. */
export interface PullRequestPage {
  readonly items: readonly ListedPullRequest[];
  /** How many items could not be used. */
  readonly invalid: number;
}

/** The list of all pull requests, those that were changed last first. */
export interface PullRequestList {
  /** Below the address of the repository, with a query. */
  readonly path: string;
  /** Pure. `null` if the document is not such a list. */
  readonly read: (json: unknown) => PullRequestPage | null;
}

/** What differs between forges. */
export interface ForgeDialect {
  readonly type: ForgeType;
  readonly style: ForgeStyle;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentialsOf: (token: string) => Readonly<Record<string, string>>;
  /** Below the address of the API. */
  readonly repositoryPath: (name: RepositoryName) => string;
  /** Pure. `null` if the document does not describe a repository. @param isAnonymous whether it was asked for without a token */
  readonly readRepository: (json: unknown, isAnonymous: boolean) => ForgeRepository | null;
  readonly lists: readonly ForgeList[];
  readonly pullRequests: PullRequestList;
}
