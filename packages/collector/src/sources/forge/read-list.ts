import { DocumentError } from '../documents/document-error.js';
import type { Validators } from '../../fetching/fetch-document.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import type { ForgeAnswer, ForgeCall, ForgeClient, ForgeDocument } from './forge-client.js';
import type { Instant, StoredRecord } from '@vitrine/core';
import type { ForgeList, ForgeOrigin, ForgePage } from './forge-dialect.js';
import type { ListState, PageState } from './forge-state.js';

/** Where a list is. */
export interface ListPlace extends ForgeCall {
  readonly client: ForgeClient;
  /** The path of the repository in the API. */
  readonly base: string;
}

/**
 * Asks for a page of a list. `absent`: the repository has no such list. `refused`: it must not be read, so nothing is known. Rejects if the page cannot be read.
 *
 * @param path below the repository, with its query
 * @param known the validators of the stored page; `null` fetches it in any case
 */
export async function askPage(path: string, known: Validators | null, { client, base, ...call }: ListPlace): Promise<PageAnswer> {
  const answer = await orRefused(client.get(base + path, known, call));
  if (answer === 'refused') return answer;
  if (answer.kind === 'unchanged') return 'unchanged';
  if (answer.kind === 'gone') return 'absent';
  if (answer.kind === 'document') return { ...answer, next: answer.next === null ? null : answer.next.slice(base.length) };
  // The repository was found here. So this is not about the repository, or it was renamed a moment ago.
  throw new DocumentError('not a forge', `${base}${path} redirects to another address; correct the address in api`);
}

/** In a document, `next` is below the repository too. */
export type PageAnswer = ForgeDocument | 'unchanged' | 'absent' | 'refused';

/** A forge can refuse a single list, for example because it is for members only. */
async function orRefused(asked: Promise<ForgeAnswer>): Promise<ForgeAnswer | 'refused'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutgoingError && error.reason === 'http 403') return 'refused';
    throw error;
  }
}

/** Throws that a document has a wrong shape. @param plural the plural of the items */
export function failAsList({ base }: Pick<ListPlace, 'base'>, path: string, plural: string): never {
  throw new DocumentError('not a forge', `${base}${path} is not a list of ${plural}; correct the address in api`);
}

/** @param plural the plural of the items */
export function refusalWarning(plural: string): string {
  return `the forge refuses the list of ${plural} (http 403), so it is not collected`;
}

/** Nothing unless items were left out. @param plural the plural of the items */
export function invalidWarning(plural: string, invalid: number): readonly string[] {
  return invalid === 0 ? [] : [`${plural} that were left out, because they are not valid: ${invalid}`];
}

/** What was read of a list. */
export interface ListReading {
  readonly list: ForgeList;
  readonly pages: readonly PageState[];
  /** The records of the pages that have changed. */
  readonly records: readonly StoredRecord[];
  /** `unchanged`: no page has. `absent`: the repository has no such list. `refused`: it must not be read, so nothing is known. */
  readonly outcome: 'unchanged' | 'changed' | 'absent' | 'refused';
  readonly warnings: readonly string[];
}

interface ReadListOptions extends ListPlace {
  readonly origin: ForgeOrigin;
  readonly before: ListState;
  readonly now: Instant;
}

/** Reads the pages of a list, each only if it has changed. Rejects if one cannot be read; then nothing is known about the list. */
export async function readList(list: ForgeList, options: ReadListOptions): Promise<ListReading> {
  const read: ReadPage[] = [];
  let path: string | null = list.path;
  const mostPages = list.reading === 'stream' ? options.client.mostPages(list.mostPages) : list.mostPages;
  while (path !== null && read.length < mostPages) {
    const page = await readPage(list, path, options);
    if (typeof page === 'string') return { list, pages: [], records: [], outcome: page, warnings: refusalOf(list, page) };
    read.push(page);
    path = isEnough(list, page, options.before) ? null : unseen(page.state.next, read);
  }
  return readingOf(list, read, path !== null);
}

interface ReadPage {
  readonly state: PageState;
  /** `null`: as it was. */
  readonly page: ForgePage | null;
}

function readingOf(list: ForgeList, read: readonly ReadPage[], hasMore: boolean): ListReading {
  const changed = read.flatMap(({ page }) => page ?? []);
  const pages = read.map(({ state }) => state);
  const isStream = list.reading === 'stream';
  const invalid = changed.reduce((total, page) => total + page.invalid, 0);
  return {
    list,
    // A stream is only asked for its first page again.
    pages: isStream ? pages.slice(0, 1) : pages,
    records: changed.flatMap(({ records }) => records),
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    warnings: [...invalidWarning(`${list.kind}s`, invalid), ...(hasMore && list.reading === 'all' ? [truncationOf(list, pages)] : [])],
  };
}

async function readPage(list: ForgeList, path: string, options: ReadListOptions): Promise<ReadPage | 'absent' | 'refused'> {
  const known = options.before.pages.find((one) => one.path === path) ?? null;
  const answer = await askPage(path, known, options);
  if (typeof answer === 'object') return parsedPage(list, path, answer, options);
  // Only a stored page can be unchanged.
  return answer === 'unchanged' ? { state: known ?? failAsList(options, path, `${list.kind}s`), page: null } : answer;
}

function parsedPage(list: ForgeList, path: string, answer: ForgeDocument, options: ReadListOptions): ReadPage {
  const page = list.read(answer.json, options.origin, options.now) ?? failAsList(options, path, `${list.kind}s`);
  const ids = list.reading === 'stream' ? page.ids.slice(0, 1) : [...page.ids];
  return { state: { path, ids, next: answer.next, ...answer.validators }, page };
}

/** Of a stream, pages are read until one has something that was known. */
function isEnough({ reading }: ForgeList, { page }: ReadPage, before: ListState): boolean {
  if (reading !== 'stream') return false;
  const newest = before.pages[0]?.ids[0] ?? before.left[0];
  return page === null || (newest !== undefined && page.ids.includes(newest));
}

/** Links may lead in a circle. */
function unseen(next: string | null, read: readonly ReadPage[]): string | null {
  return read.some(({ state }) => state.path === next) ? null : next;
}

function refusalOf({ kind }: ForgeList, outcome: 'absent' | 'refused'): readonly string[] {
  return outcome === 'absent' ? [] : [refusalWarning(`${kind}s`)];
}

function truncationOf({ kind }: ForgeList, pages: readonly PageState[]): string {
  return `only the newest ${pages.reduce((total, { ids }) => total + ids.length, 0)} ${kind}s are collected, because there are more`;
}
