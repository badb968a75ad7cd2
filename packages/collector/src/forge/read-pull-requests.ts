import { OutgoingError } from '../outgoing/outgoing-error.js';
import type { Validators } from '../outgoing/fetch-document.js';
import { askPage, failAsList, invalidWarning, refusalWarning, type ListPlace, type PageAnswer } from './ask-page.js';
import type { ForgePullRequest, PullRequestList, PullRequestPage } from './forge-dialect.js';
import type { PullRequestsState } from './forge-state.js';

/** At first. Later, only the pages with something new are read. */
const MOST_PAGES = 10;
/** Of those that were closed without merging, and of the others. */
const MOST_KNOWN = 1_000;
const PLURAL = 'pull requests';
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
  const { before } = options;
  const pages: PullRequestPage[] = [];
  let validators: Validators | null = null;
  let path: string | null = list.path;
  while (path !== null && pages.length < MOST_PAGES) {
    const answer = await askPage(path, pages.length === 0 ? before : null, options);
    if (typeof answer === 'string') return readingWithoutPage(answer, before);
    const page: PullRequestPage = list.read(answer.json) ?? failAsList(options, path, PLURAL);
    pages.push(page);
    validators ??= answer.validators;
    path = isKnownFrom(page, before) ? null : answer.next;
  }
  const invalid = pages.reduce((total, page) => total + page.invalid, 0);
  const state = { etag: null, lastModified: null, ...validators, ...knownAfter(before, pages) };
  return { state, isUnchanged: false, warnings: invalidWarning(PLURAL, invalid) };
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
  return { newest, known: [...closed, ...all.filter((one) => !isClosed(one)).slice(0, MOST_KNOWN)] };
}

function isClosed({ fate }: ForgePullRequest): boolean {
  return fate === 'closed';
}
