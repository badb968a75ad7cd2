import type { Instant, StoredRecord } from '@vitrine/core';
import { validatorsOf, type Validators } from '../../fetching/fetch-document.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { DocumentError } from '../../running/source.js';
import type { ForgeAnswer, ForgeCall, ForgeClient } from './forge-client.js';
import type { ForgeList, ForgeOrigin, ForgePage } from './forge-dialect.js';
import type { ListState, PageState } from './forge-state.js';

export interface ListPlace extends ForgeCall {
  readonly client: ForgeClient;
  /** The path of the repository in the API. */
  readonly base: string;
}

interface PagesOptions<Page> {
  /** Of the first page, below the repository, with its query. */
  readonly path: string;
  readonly plural: string;
  readonly mostPages: number;
  /** What is stored of a page. Without it, the page is fetched in any case. */
  readonly known: (path: string) => PageHead | null;
  /** `null` if the document is not such a list. */
  readonly read: (json: unknown) => Page | null;
  /** Whether later pages are not needed. @param page `null`: it is as it was */
  readonly isEnough: (page: Page | null) => boolean;
}

interface PageHead extends Validators {
  readonly next: string | null;
}

interface ReadPage<Page> extends PageHead {
  readonly path: string;
  /** `null`: as it was. */
  readonly page: Page | null;
}

interface ReadPages<Page> {
  readonly pages: readonly ReadPage<Page>[];
  readonly hasMore: boolean;
}

/**
 * Reads the pages of a list, each only if it has changed. `absent`: the repository has no such list. `refused`: it must not be read, so nothing is known. Rejects if a page
 * cannot be read.
 */
export async function readPages<Page>(options: PagesOptions<Page>, place: ListPlace): Promise<ReadPages<Page> | 'absent' | 'refused'> {
  const pages: ReadPage<Page>[] = [];
  let path: string | null = options.path;
  while (path !== null && pages.length < options.mostPages) {
    const page: ReadPage<Page> | 'absent' | 'refused' = await readPage(path, options, place);
    if (page === 'absent' && pages.length > 0) failAsList(path, options, place);
    if (typeof page === 'string') return page;
    pages.push(page);
    // Links may lead in a circle.
    const isLast: boolean = options.isEnough(page.page) || pages.some((one) => one.path === page.next);
    path = isLast ? null : page.next;
  }
  return { pages, hasMore: path !== null };
}

async function readPage<Page>(path: string, options: PagesOptions<Page>, place: ListPlace): Promise<ReadPage<Page> | 'absent' | 'refused'> {
  const { client, base, ...call } = place;
  const known = options.known(path);
  const answer = await orRefused(client.get(base + path, known, call), options);
  if (answer === 'refused') return answer;
  switch (answer.kind) {
    case 'gone':
      return 'absent';
    case 'unchanged':
      return { path, ...(known ?? failAsList(path, options, place)), page: null };
    case 'document': {
      const page = options.read(answer.json) ?? failAsList(path, options, place);
      return { path, ...answer.validators, next: answer.next === null ? null : answer.next.slice(base.length), page };
    }
    case 'moved':
      // The repository was found here. So this is not about the repository, or it was renamed a moment ago.
      throw new DocumentError('not a forge', `${base}${path} redirects to another address; correct the address in api`);
  }
}

/** A forge can refuse a single list, for example because it is for members only. Of an empty repository, GitHub and Gitea answer 409 to the list of commits. */
async function orRefused(asked: Promise<ForgeAnswer>, { plural }: { readonly plural: string }): Promise<ForgeAnswer | 'refused'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutgoingError && error.reason === 'http 403') return 'refused';
    if (error instanceof OutgoingError && error.reason === 'http 409' && plural === 'commits') return { kind: 'gone' };
    throw error;
  }
}

function failAsList(path: string, { plural }: { readonly plural: string }, { base }: ListPlace): never {
  throw new DocumentError('not a forge', `${base}${path} is not a list of ${plural}; correct the address in api`);
}

/** @param plural the plural of the items */
export function refusalWarning(plural: string): string {
  return `the forge refuses the list of ${plural} (http 403), so it is not collected`;
}

/** Nothing unless items were left out. @param plural the plural of the items */
export function invalidWarning(plural: string, pages: readonly ({ readonly invalid: number } | null)[]): readonly string[] {
  const invalid = pages.reduce((total, page) => total + (page?.invalid ?? 0), 0);
  return invalid === 0 ? [] : [`${plural} that were left out, because they are not valid: ${invalid}`];
}

export interface ListReading {
  readonly list: ForgeList;
  readonly pages: readonly PageState[];
  /** The records of the pages that have changed. */
  readonly records: readonly StoredRecord[];
  /** `unchanged`: no page has. `absent` and `refused`: see {@link readPages}. */
  readonly outcome: 'unchanged' | 'changed' | 'absent' | 'refused';
  readonly warnings: readonly string[];
}

interface ReadListOptions extends ListPlace {
  readonly origin: ForgeOrigin;
  readonly before: ListState;
  readonly now: Instant;
}

/** Reads the pages of a list, each only if it has changed. Rejects if one cannot be read; then nothing is known about the list. */
export async function readList(list: ForgeList, { origin, before, now, ...place }: ReadListOptions): Promise<ListReading> {
  const plural = `${list.kind}s`;
  const isStream = list.reading === 'stream';
  const newest = before.pages[0]?.ids[0] ?? before.left[0];
  const known = (path: string): PageState | null => before.pages.find((one) => one.path === path) ?? null;
  const read = await readPages(
    {
      path: list.path,
      plural,
      mostPages: isStream ? place.client.mostPages(list.mostPages) : list.mostPages,
      known,
      read: (json) => list.read(json, origin, now),
      // Of a stream, pages are read until one has something that was known.
      isEnough: (page) => isStream && (page === null || (newest !== undefined && page.ids.includes(newest))),
    },
    place,
  );
  if (typeof read === 'string') return { list, pages: [], records: [], outcome: read, warnings: read === 'absent' ? [] : [refusalWarning(plural)] };
  return readingOf(list, read, known);
}

/** A mission becomes active at its date, without a change at the forge. So its page is read again each time until then. */
function willBegin(record: StoredRecord): boolean {
  return record.kind === 'mission' && record.status === 'planned' && record.startedAt !== null;
}

function readingOf(list: ForgeList, { pages: read, hasMore }: ReadPages<ForgePage>, known: (path: string) => PageState | null): ListReading {
  const plural = `${list.kind}s`;
  const isStream = list.reading === 'stream';
  const changed = read.flatMap(({ page }) => page ?? []);
  const pages = read.map(({ page, ...head }) => {
    const validators = page?.records.some(willBegin) === true ? validatorsOf({}) : {};
    return (page === null ? known(head.path) : null) ?? { ...head, ...validators, ids: idsOf(page, isStream) };
  });
  return {
    list,
    // A stream is only asked for its first page again.
    pages: isStream ? pages.slice(0, 1) : pages,
    records: changed.flatMap(({ records }) => records),
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    warnings: [...invalidWarning(plural, changed), ...(hasMore && list.reading === 'all' ? [truncationOf(plural, pages)] : [])],
  };
}

/** Of a stream, only the newest item tells what is known. */
function idsOf(page: ForgePage | null, isStream: boolean): string[] {
  return page === null ? [] : page.ids.slice(0, isStream ? 1 : undefined);
}

function truncationOf(plural: string, pages: readonly PageState[]): string {
  return `only the newest ${pages.reduce((total, { ids }) => total + ids.length, 0)} ${plural} are collected, because there are more`;
}
