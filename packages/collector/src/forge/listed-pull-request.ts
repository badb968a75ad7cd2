import { isSha } from '@vitrine/core';
import type { z } from 'zod';
import type { ForgePullRequest, ListedPullRequest, PullRequestPage } from './forge-dialect.js';
import { itemsOf } from './forge-json.js';

/** No forge allows longer names. */
const LONGEST_BRANCH = 255;

/** A pull request as its forge describes it. */
export interface PullRequestFacts extends Omit<ForgePullRequest, 'branch' | 'head' | 'opener'> {
  /** Whether its branch is in the repository itself, and not in a fork. */
  readonly isOwn: boolean;
  readonly branch: string | null;
  readonly head: string | null;
  /** See `ForgePullRequest`. Default: only the team can open one. */
  readonly opener?: number | null;
}

/** Reads a page of a list. Items that do not have the fields are left out and counted. `null` if it is not a list. */
export function pullRequestsIn<Item extends z.ZodType>(
  json: unknown,
  item: Item,
  facts: (item: z.output<Item>) => PullRequestFacts,
): PullRequestPage | null {
  const read = itemsOf(json, item);
  return read === null ? null : { items: read.items.map((one) => listed(facts(one))), invalid: read.invalid };
}

function listed({ isOwn, branch, head, opener = null, ...facts }: PullRequestFacts): ListedPullRequest {
  const { number, updatedAt, base } = facts;
  const own = isOwn && isBranch(branch) && isBranch(base) && isHead(head) ? { ...facts, branch, head, opener } : null;
  return { number, updatedAt, own };
}

function isBranch(name: string | null): name is string {
  return name !== null && name !== '' && name.length <= LONGEST_BRANCH && name.isWellFormed();
}

function isHead(head: string | null): head is string {
  return head !== null && isSha(head);
}
