import type { Instant, StoredRecord } from '@vitrine/core';
import { validatorsOf, type Validators } from '../../fetching/fetch-document.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { DocumentError } from '../../running/source.js';
import type { ForgeCall, ForgeClient } from './forge-client.js';
import type { ForgeList, ForgeOrigin, ForgePage } from './forge-dialect.js';
import { EMPTY_LIST, idsOf, type ListState, type PageState } from './forge-state.js';

export interface ListPlace extends ForgeCall {
  readonly client: ForgeClient;
  /** The path of the repository in the API. */
  readonly base: string;
}

/** What is stored of every page. */
export interface PageHead extends Validators {
  /** Below the address of the repository, with its query. */
  readonly path: string;
  readonly next: string | null;
}

interface PagesOptions<Stored extends PageHead, Page> {
  /** Of the first page. */
  readonly path: string;
  readonly plural: string;
  readonly mostPages: number;
  /** What is stored of a page. Without it, the page is fetched in any case. */
  readonly known: (path: string) => Stored | null;
  /** `null` if the document is not such a list. */
  readonly read: (json: unknown) => Page | null;
  /** What to store of a page that has changed. */
  readonly stored: (head: PageHead, page: Page) => Stored;
  /** Whether later pages are not needed. @param page `null`: it is as it was */
  readonly isEnough: (page: Page | null) => boolean;
}

interface ReadPage<Stored, Page> {
  readonly stored: Stored;
  /** `null`: it is as it was. */
  readonly page: Page | null;
}

export interface ReadPages<Stored, Page> {
  readonly pages: readonly ReadPage<Stored, Page>[];
  readonly hasMore: boolean;
}

/**
 * Reads the pages of a list, each only if it has changed. `absent`: the repository has no such list. `refused`: it must not be read, so nothing is known. Rejects if a page
 * cannot be read.
 */
export async function readPages<Stored extends PageHead, Page>(
  options: PagesOptions<Stored, Page>,
  place: ListPlace,
): Promise<ReadPages<Stored, Page> | 'absent' | 'refused'> {
  const pages: ReadPage<Stored, Page>[] = [];
  let path: string | null = options.path;
  while (path !== null && pages.length < options.mostPages) {
    const read: ReadPage<Stored, Page> | 'absent' | 'refused' = await readPage(path, options, place);
    if (read === 'absent' && pages.length > 0) throw notAList(place.base + path, options);
    if (typeof read === 'string') return read;
    pages.push(read);
    const { next }: PageHead = read.stored;
    // Links may lead in a circle.
    path = options.isEnough(read.page) || pages.some(({ stored }) => stored.path === next) ? null : next;
  }
  return { pages, hasMore: path !== null };
}

async function readPage<Stored extends PageHead, Page>(
  path: string,
  options: PagesOptions<Stored, Page>,
  place: ListPlace,
): Promise<ReadPage<Stored, Page> | 'absent' | 'refused'> {
  const { client, base, ...call } = place;
  const answer = await client.get(base + path, options.known(path), call).catch((error: unknown) => withoutList(error, options));
  if (typeof answer === 'string') return answer;
  switch (answer.kind) {
    case 'gone':
      return 'absent';
    case 'unchanged':
      return { stored: answer.known, page: null };
    case 'document': {
      const page = options.read(answer.json);
      if (page === null) throw notAList(base + path, options);
      return { stored: options.stored({ path, ...answer.validators, next: answer.next?.slice(base.length) ?? null }, page), page };
    }
    case 'moved':
      // The repository was found here. So this is not about the repository, or it was renamed a moment ago.
      throw new DocumentError('not a forge', `${base}${path} redirects to another address; correct the address in api`);
  }
}

/** A forge can refuse a single list, for example because it is for members only. Of an empty repository, GitHub and Gitea answer 409 to the list of commits. */
function withoutList(error: unknown, { plural }: { readonly plural: string }): 'absent' | 'refused' {
  const reason = error instanceof OutgoingError ? error.reason : null;
  if (reason === 'http 403') return 'refused';
  if (reason === 'http 409' && plural === 'commits') return 'absent';
  throw error;
}

function notAList(path: string, { plural }: { readonly plural: string }): DocumentError {
  return new DocumentError('not a forge', `${path} is not a list of ${plural}; correct the address in api`);
}

/** @param plural the plural of the items */
export function refusalWarning(plural: string): string {
  return `the forge refuses the list of ${plural} (http 403), so it is not collected`;
}

/** Nothing unless items were left out. @param plural the plural of the items */
export function invalidWarning(plural: string, pages: readonly { readonly invalid: number }[]): readonly string[] {
  const all = pages.reduce((total, { invalid }) => total + invalid, 0);
  return all === 0 ? [] : [`${plural} that were left out, because they are not valid: ${all}`];
}

/** `unchanged`: no page has changed. `absent` and `refused`: see {@link readPages}. */
export type Outcome = 'unchanged' | 'changed' | 'absent' | 'refused';

export interface ListReading {
  readonly list: ForgeList;
  readonly before: ListState;
  /** If all records are stored, and those that are gone are removed. */
  readonly after: ListState;
  /** The records of the pages that have changed. */
  readonly records: readonly StoredRecord[];
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
}

/** The reading of a list that the repository does not have, or that must not be read. */
export function unreadList(list: ForgeList, before: ListState, outcome: 'absent' | 'refused'): ListReading {
  const reading = { list, before, records: [], outcome };
  return outcome === 'absent'
    ? { ...reading, after: EMPTY_LIST, warnings: [] }
    : { ...reading, after: before, warnings: [refusalWarning(`${list.kind}s`)] };
}

interface ReadListOptions extends ListPlace {
  readonly origin: ForgeOrigin;
  readonly before: ListState;
  readonly now: Instant;
}

/** Reads the pages of a list, each only if it has changed. Rejects if one cannot be read; then nothing is known about the list. */
export async function readList(list: ForgeList, { origin, before, now, ...place }: ReadListOptions): Promise<ListReading> {
  const areCommits = list.kind === 'commit';
  const newest = before.pages[0]?.ids[0] ?? before.left[0];
  const read = await readPages(
    {
      path: list.path,
      plural: `${list.kind}s`,
      mostPages: areCommits ? place.client.account.mostPages(list.mostPages) : list.mostPages,
      known: (path): PageState | null => before.pages.find((one) => one.path === path) ?? null,
      read: (json) => list.read(json, origin, now),
      stored: (head, { ids, records }) => ({
        ...head,
        ...(records.some(willBegin) && validatorsOf({})),
        // Of commits, the newest one tells what is known.
        ids: ids.slice(0, areCommits ? 1 : undefined),
      }),
      // Of commits, pages are read until one has something that was known.
      isEnough: (page) => areCommits && (page === null || (newest !== undefined && page.ids.includes(newest))),
    },
    place,
  );
  return typeof read === 'string' ? unreadList(list, before, read) : readingOf(list, before, read);
}

function readingOf(list: ForgeList, before: ListState, { pages, hasMore }: ReadPages<PageState, ForgePage>): ListReading {
  const plural = `${list.kind}s`;
  const changed = pages.flatMap(({ page }) => page ?? []);
  // Of commits, only the first page is asked for again.
  const after = { pages: pages.map(({ stored }) => stored).slice(0, list.kind === 'commit' ? 1 : undefined), left: [] };
  const isWhole = list.kind === 'release' || list.kind === 'mission';
  const truncation = `only the newest ${idsOf(after).length} ${plural} are collected, because there are more`;
  return {
    list,
    before,
    after,
    records: changed.flatMap(({ records }) => records),
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    warnings: [...invalidWarning(plural, changed), ...(isWhole && hasMore ? [truncation] : [])],
  };
}

/** A mission becomes active at its date, without a change at the forge. So its page is read again each time until then. */
function willBegin(record: StoredRecord): boolean {
  return record.kind === 'mission' && record.status === 'planned' && record.startedAt !== null;
}
