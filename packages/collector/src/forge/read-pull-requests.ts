import { OutgoingError } from '../outgoing/outgoing-error.js';
import type { Validators } from '../outgoing/fetch-document.js';
import { askPage, failAsList, invalidWarning, refusalWarning, type ListPlace, type PageAnswer } from './ask-page.js';
import type { ForgeDocument } from './forge-client.js';
import type { ForgePullRequest, PullRequestList, PullRequestPage } from './forge-dialect.js';
import type { PullRequestsState } from './forge-state.js';

/** At first. Later, only the pages with something new are read. */
const MOST_PAGES = 10;
/** Of those that were closed without merging, and of the others. */
const MOST_KNOWN = 1_000;
const PLURAL = 'pull requests';
const FORGOTTEN = `more ${PLURAL} have changed since the last run than are read at once, so only the newest ones are known`;
const TOO_LARGE = `a page of the list of ${PLURAL} is too large, so it is not collected, and what was known of it stays`;

/** What was read of the list of pull requests. */
export interface PullRequestsReading {
  readonly state: PullRequestsState | null;
  readonly isUnchanged: boolean;
  readonly warnings: readonly string[];
}

export interface ReadPullRequestsOptions extends ListPlace {
  readonly before: PullRequestsState | null;
}

/**
 * Reads the pull requests that have changed. A list that is refused or too large leaves everything as it was: anybody can open a pull request with a long text, and the other
 * lists must not suffer from it. Rejects if a page cannot be read; then nothing is known about the list.
 */
export async function readPullRequests(list: PullRequestList, options: ReadPullRequestsOptions): Promise<PullRequestsReading> {
  const { before: state } = options;
  try {
    return await readPages(list, options);
  } catch (error) {
    if (!(error instanceof OutgoingError) || error.reason !== 'too large') throw error;
    return { state, isUnchanged: false, warnings: [TOO_LARGE] };
  }
}

async function readPages(list: PullRequestList, options: ReadPullRequestsOptions): Promise<PullRequestsReading> {
  const { before, client } = options;
  const first = await askPage(list.path, before, options);
  if (typeof first === 'string') return readingWithoutPage(first, before);
  const pages: PullRequestPage[] = [];
  const read = ({ json, next }: ForgeDocument, path: string): string | null => {
    const page: PullRequestPage = list.read(json) ?? failAsList(options, path, PLURAL);
    pages.push(page);
    return isKnownFrom(page, before) ? null : next;
  };
  const mostPages = client.mostPages(MOST_PAGES);
  let path = read(first, list.path);
  while (path !== null && pages.length < mostPages) {
    const answer = await askPage(path, null, options);
    if (answer === 'refused') return readingWithoutPage(answer, before);
    path = typeof answer === 'string' ? failAsList(options, path, PLURAL) : read(answer, path);
  }
  return readingOf(pages, { ...options, validators: first.validators, hasMore: path !== null });
}

interface ReadPages extends ReadPullRequestsOptions {
  readonly validators: Validators;
  readonly hasMore: boolean;
}

function readingOf(pages: readonly PullRequestPage[], { before, validators, hasMore }: ReadPages): PullRequestsReading {
  const invalid = pages.reduce((total, page) => total + page.invalid, 0);
  // What has changed on the pages that were not read is not known, so nothing of before can be believed.
  const hasGap = hasMore && before !== null;
  const state = { ...validators, ...knownAfter(hasGap ? null : before, pages) };
  return { state, isUnchanged: false, warnings: [...invalidWarning(PLURAL, invalid), ...(hasGap ? [FORGOTTEN] : [])] };
}

function readingWithoutPage(answer: Exclude<PageAnswer, object>, before: PullRequestsState | null): PullRequestsReading {
  const state = answer === 'absent' ? null : before;
  return { state, isUnchanged: answer === 'unchanged', warnings: answer === 'refused' ? [refusalWarning(PLURAL)] : [] };
}

/** Whether nothing below the end of the page has changed since. Several may have changed at the same time, so an earlier one must be there. */
function isKnownFrom({ items }: PullRequestPage, before: PullRequestsState | null): boolean {
  return before !== null && items.some(({ updatedAt }) => updatedAt < before.newest);
}

function knownAfter(before: PullRequestsState | null, pages: readonly PullRequestPage[]): Pick<PullRequestsState, 'newest' | 'known'> {
  const known = new Map((before?.known ?? []).map((one) => [one.number, one]));
  let newest = 0;
  for (const { number, updatedAt, own } of pages.flatMap(({ items }) => items)) {
    newest = Math.max(newest, updatedAt);
    if (own === null) known.delete(number);
    else known.set(number, own);
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
