import { isSha } from '@vitrine/core';
import type { z } from 'zod';
import { type ForgePullRequest, itemsOf, type PullRequestFacts, type PullRequestList, type PullRequestPage } from './forge-dialect.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { invalidWarning, readPages, refusalWarning, type ListPlace } from './read-list.js';
import type { PullRequestsState } from './forge-state.js';

/** No forge allows longer names. */
const LONGEST_BRANCH = 255;

/** Reads a page of a list. Items that do not have the fields are left out and counted. `null` if it is not a list. */
export function pullRequestsIn<Item extends z.ZodType>(
  json: unknown,
  item: Item,
  facts: (item: z.output<Item>) => PullRequestFacts,
): PullRequestPage | null {
  const read = itemsOf(json, item);
  return read === null ? null : { items: read.items.map(facts), invalid: read.invalid };
}

/** `null` if it comes from a fork, or if its branch or its last commit is not known any more. */
export function ownOf({ isOwn, branch, head, opener = null, ...facts }: PullRequestFacts): ForgePullRequest | null {
  return isOwn && isBranch(branch) && isBranch(facts.base) && isHead(head) ? { ...facts, branch, head, opener } : null;
}

function isBranch(name: string | null): name is string {
  return name !== null && name !== '' && name.length <= LONGEST_BRANCH && name.isWellFormed();
}

function isHead(head: string | null): head is string {
  return head !== null && isSha(head);
}

/** At first. Later, only the pages with something new are read. */
const MOST_PAGES = 10;
/** Of those that were closed without merging, and of the others. */
const MOST_KNOWN = 1_000;
const PLURAL = 'pull requests';
const FORGOTTEN = `more ${PLURAL} have changed since the last run than are read at once, so only the newest ones are known`;
const TOO_LARGE = `a page of the list of ${PLURAL} is too large, so it is not collected, and what was known of it stays`;

export interface PullRequestsReading {
  readonly state: PullRequestsState | null;
  readonly isUnchanged: boolean;
  readonly warnings: readonly string[];
}

interface ReadPullRequestsOptions extends ListPlace {
  readonly before: PullRequestsState | null;
}

/**
 * Reads the pull requests that have changed. A list that is refused or too large leaves everything as it was: anybody can open a pull request with a long text, and the other
 * lists must not suffer from it. Rejects if a page cannot be read; then nothing is known about the list.
 */
export async function readPullRequests(list: PullRequestList, options: ReadPullRequestsOptions): Promise<PullRequestsReading> {
  const { before: state } = options;
  try {
    return await readChanged(list, options);
  } catch (error) {
    if (!(error instanceof OutgoingError) || error.reason !== 'too large') throw error;
    return { state, isUnchanged: false, warnings: [TOO_LARGE] };
  }
}

async function readChanged(list: PullRequestList, { before, ...place }: ReadPullRequestsOptions): Promise<PullRequestsReading> {
  const read = await readPages(
    {
      ...list,
      plural: PLURAL,
      mostPages: place.client.mostPages(MOST_PAGES),
      known: (path) => (path === list.path && before !== null ? { ...before, next: null } : null),
      isEnough: (page) => page === null || isKnownFrom(page, before),
    },
    place,
  );
  if (read === 'absent') return { state: null, isUnchanged: false, warnings: [] };
  if (read === 'refused') return { state: before, isUnchanged: false, warnings: [refusalWarning(PLURAL)] };
  const pages = read.pages.flatMap(({ page }) => page ?? []);
  const [first] = read.pages;
  if (pages.length === 0 || first === undefined) return { state: before, isUnchanged: true, warnings: [] };
  // What has changed on the pages that were not read is not known, so nothing of before can be believed.
  const hasGap = read.hasMore && before !== null;
  const { etag, lastModified } = first;
  const state = { etag, lastModified, ...knownAfter(hasGap ? null : before, pages) };
  return { state, isUnchanged: false, warnings: [...invalidWarning(PLURAL, pages), ...(hasGap ? [FORGOTTEN] : [])] };
}

/** Whether nothing below the end of the page has changed since. Several may have changed at the same time, so an earlier one must be there. */
function isKnownFrom({ items }: PullRequestPage, before: PullRequestsState | null): boolean {
  return before !== null && items.some(({ updatedAt }) => updatedAt < before.newest);
}

function knownAfter(before: PullRequestsState | null, pages: readonly PullRequestPage[]): Pick<PullRequestsState, 'newest' | 'known'> {
  const known = new Map((before?.known ?? []).map((one) => [one.number, one]));
  let newest = 0;
  for (const item of pages.flatMap(({ items }) => items)) {
    newest = Math.max(newest, item.updatedAt);
    const own = ownOf(item);
    if (own === null) known.delete(item.number);
    else known.set(item.number, own);
  }
  const all = [...known.values()].sort((a, b) => b.updatedAt - a.updatedAt || b.number - a.number);
  const closed = all.filter(isClosed).slice(0, MOST_KNOWN);
  // Of the others, those come first that say that a closed one is not the end of its commits.
  const heads = new Set(closed.map(({ head }) => head));
  const others = all.filter((one) => !isClosed(one));
  const kept = [...others.filter(({ head }) => heads.has(head)), ...others.filter(({ head }) => !heads.has(head))].slice(0, MOST_KNOWN);
  return { newest, known: [...closed, ...kept] };
}

function isClosed({ fate }: ForgePullRequest): boolean {
  return fate === 'closed';
}
