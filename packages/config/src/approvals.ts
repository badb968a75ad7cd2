import { asciiLowerCase, type AllowlistEntry, type RepositoryName } from '@vitrine/core';

/** Approves the public repositories of an owner on GitHub. */
export interface OwnerPattern {
  readonly owner: string;
  /** The id that the forge gives the owner; `null`: any owner of the name. */
  readonly ownerId: string | null;
  /** What the pattern must not approve. */
  readonly except: readonly RepositoryName[];
  /** Whether it approves forks too. */
  readonly forks: boolean;
  /** Whether it approves archived repositories too. */
  readonly archived: boolean;
  /** The address of the forge's API, without a final slash. */
  readonly api: string;
  /** The environment variable that holds the token; `null`: `GITHUB_TOKEN` for github.com, none for other hosts. */
  readonly token: string | null;
  /** Whether the address may be in a private network. */
  readonly allowPrivate: boolean;
  readonly intervalMs: number;
}

/** What a configuration approves. */
export interface Approvals {
  /** The repositories that are named. May be empty. */
  readonly approved: readonly AllowlistEntry[];
  /** What they approve depends on the lists of their owners, which a collector stores. Before the first list, nothing. */
  readonly patterns: readonly OwnerPattern[];
}

/** Whether a pattern could approve the repository, depending on the list of its owner. */
export function couldApprove(patterns: readonly OwnerPattern[], { owner, fullName }: RepositoryName): boolean {
  const isExcepted = patterns.some(({ except }) => except.some((name) => asciiLowerCase(name.fullName) === asciiLowerCase(fullName)));
  return !isExcepted && patterns.some((pattern) => asciiLowerCase(pattern.owner) === asciiLowerCase(owner));
}
