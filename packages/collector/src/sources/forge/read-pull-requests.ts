import { isSha } from '@vitrine/core';
import { itemsOf, type ForgeDialect, type PullRequestFacts } from './forge-dialect.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { invalidWarning, readPages, refusalWarning, type ListPlace, type Outcome, type PageHead, type ReadPages } from './forge-lists.js';
import type { ForgePullRequest, PullRequestsState } from './forge-state.js';

/** No forge allows longer names. */
const LONGEST_BRANCH = 255;

/** `null` if it comes from a fork, or if its branch or its last commit is not known any more. */
export function ownOf({ isOwn, branch, head, opener = null, ...facts }: PullRequestFacts): ForgePullRequest | null {
  const isKnown = isBranch(branch) && isBranch(facts.base) && head !== null && isSha(head);
  return isOwn && isKnown ? { ...facts, branch, head, opener } : null;
}

function isBranch(name: string | null): name is string {
  return name !== null && name !== '' && name.length <= LONGEST_BRANCH && name.isWellFormed();
}

/** At first. Later, only the pages with something new are read. */
const MOST_PAGES = 10;
/** Of those that were closed without merging, and of the others. */
const MOST_KNOWN = 1_000;
export const PULL_REQUESTS = 'pull requests';
const FORGOTTEN = `more ${PULL_REQUESTS} have changed since the last run than are read at once, so only the newest ones are known`;
const UNREAD = {
  absent: [],
  refused: [refusalWarning(PULL_REQUESTS)],
  'too large': [`a page of the list of ${PULL_REQUESTS} is too large, so it is not collected, and what was known of it stays`],
};

export interface PullRequestsReading {
  readonly after: PullRequestsState | null;
  readonly outcome: Outcome | 'too large';
  readonly warnings: readonly string[];
}

type PullRequestsPage = PageHead & NonNullable<ReturnType<typeof itemsOf<PullRequestFacts>>>;

/** Reads the pull requests that have changed. A list that is refused or too large leaves all as it was: anybody can open one with a long text. Rejects if a page cannot be read. */
export async function readPullRequests(
  { path: first, item }: ForgeDialect['pullRequests'],
  before: PullRequestsState | null,
  place: ListPlace,
): Promise<PullRequestsReading> {
  const read = await readPages<PullRequestsPage>(
    {
      path: first,
      plural: PULL_REQUESTS,
      mostPages: place.client.account.mostPages(MOST_PAGES),
      known: (path) => (path === first && before !== null ? { ...before, path, next: null, items: [], invalid: 0 } : null),
      read: (json, head) => {
        const page = itemsOf(json, item);
        return page && { ...head, ...page };
      },
      // Several may have changed at the same time, so one that was changed earlier must be there.
      isEnough: ({ items }, isChanged) => !isChanged || (before !== null && items.some(({ updatedAt }) => updatedAt < before.newest)),
    },
    place,
  ).catch((error: unknown) => {
    if (!(error instanceof OutgoingError) || error.reason !== 'too large') throw error;
    return 'too large' as const;
  });
  if (typeof read === 'string') return { after: read === 'absent' ? null : before, outcome: read, warnings: UNREAD[read] };
  return readingOf(read, before);
}

function readingOf({ pages: [first], changed, hasMore }: ReadPages<PullRequestsPage>, before: PullRequestsState | null): PullRequestsReading {
  if (changed.length === 0 || first === undefined) return { after: before, outcome: 'unchanged', warnings: [] };
  // What has changed on the pages that were not read is not known, so nothing of before can be believed.
  const hasGap = hasMore && before !== null;
  const items = changed.flatMap((page) => page.items);
  const after = { etag: first.etag, lastModified: first.lastModified, ...knownAfter(hasGap ? [] : (before?.known ?? []), items) };
  return { after, outcome: 'changed', warnings: [...invalidWarning(PULL_REQUESTS, changed), ...(hasGap ? [FORGOTTEN] : [])] };
}

function knownAfter(before: readonly ForgePullRequest[], items: readonly PullRequestFacts[]): Pick<PullRequestsState, 'newest' | 'known'> {
  const known = new Map(before.map((one) => [one.number, one]));
  for (const item of items) {
    const own = ownOf(item);
    if (own === null) known.delete(item.number);
    else known.set(item.number, own);
  }
  const all = [...known.values()].sort((a, b) => b.updatedAt - a.updatedAt || b.number - a.number);
  const closed = all.filter(({ fate }) => fate === 'closed').slice(0, MOST_KNOWN);
  // Of the others, those come first that say that a closed one is not the end of its commits.
  const heads = new Set(closed.map(({ head }) => head));
  const others = all.filter(({ fate }) => fate !== 'closed');
  const kept = [...others.filter(({ head }) => heads.has(head)), ...others.filter(({ head }) => !heads.has(head))].slice(0, MOST_KNOWN);
  return { newest: Math.max(0, ...items.map(({ updatedAt }) => updatedAt)), known: [...closed, ...kept] };
}
