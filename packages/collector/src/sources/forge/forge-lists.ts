import { grouped, type Commit, type Instant, type RecordIdentity, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { validatorsOf, type Validators } from '../../fetching/fetch-document.js';
import { OutgoingError } from '../../fetching/outgoing-response.js';
import { putInBatches } from '../../running/record-batches.js';
import { DocumentError, type SourceContext } from '../../running/source.js';
import type { ForgeCall, ForgeClient } from './forge-client.js';
import type { ForgeList, ForgeOrigin, ForgePage } from './forge-dialect.js';
import { forgeRepository } from './forge-records.js';
import { EMPTY_LIST, idsOf, type ListState } from './forge-state.js';
import type { FoundRepository } from './hiding.js';

export interface ListPlace extends ForgeCall {
  readonly client: ForgeClient;
  /** The path of the repository in the API. */
  readonly base: string;
}

/** What is known of every page. */
export interface PageHead extends Validators {
  /** Below the address of the repository, with its query. */
  readonly path: string;
  readonly next: string | null;
}

interface PagesOptions<Page extends PageHead> {
  readonly path: string;
  readonly plural: string;
  readonly mostPages: number;
  /** A page as it was. Without it, the page is fetched in any case. */
  readonly known: (path: string) => Page | null;
  /** `null` if the document is not such a list. */
  readonly read: (json: unknown, head: PageHead) => Page | null;
  /** Whether later pages are not needed. */
  readonly isEnough: (page: Page, isChanged: boolean) => boolean;
}

export interface ReadPages<Page> {
  readonly pages: readonly Page[];
  readonly changed: readonly Page[];
  readonly hasMore: boolean;
}

/** Why a list was not read. `absent`: there is no such list. `refused`: the forge does not allow it, so nothing is known about it. */
type Unread = 'absent' | 'refused';

/** Reads the pages of a list, each only if it has changed. Rejects if a page cannot be read. */
export async function readPages<Page extends PageHead>(options: PagesOptions<Page>, place: ListPlace): Promise<ReadPages<Page> | Unread> {
  const [pages, changed]: [Page[], Page[]] = [[], []];
  let path: string | null = options.path;
  while (path !== null && pages.length < options.mostPages) {
    const known = options.known(path);
    const page: Page | Unread = await readPage(path, known, options, place);
    if (typeof page === 'string') return page;
    pages.push(page);
    if (page !== known) changed.push(page);
    // Links may lead in a circle.
    path = options.isEnough(page, page !== known) || pages.some((one) => one.path === page.next) ? null : page.next;
  }
  return { pages, changed, hasMore: path !== null };
}

async function readPage<Page extends PageHead>(
  path: string,
  known: Page | null,
  { path: first, plural, read }: PagesOptions<Page>,
  { client, base, ...call }: ListPlace,
): Promise<Page | Unread> {
  const notAList = (): DocumentError => new DocumentError('not a forge', `${base}${path} is not a list of ${plural}; correct the address in api`);
  const answer = await client.get(base + path, known, call).catch((error: unknown) => withoutList(error, plural));
  switch (answer.kind) {
    case 'refused':
      return 'refused';
    case 'gone':
      if (path !== first) throw notAList();
      return 'absent';
    case 'unchanged':
      return answer.known;
    case 'document': {
      const page = read(answer.json, { path, ...answer.validators, next: answer.next?.slice(base.length) ?? null });
      if (page === null) throw notAList();
      return page;
    }
    case 'moved':
      // The repository was found here. So this is not about the repository, or it was renamed a moment ago.
      throw new DocumentError('not a forge', `${base}${path} redirects to another address; correct the address in api`);
  }
}

/** A forge can refuse a single list, for example because it is for members only. Of an empty repository, GitHub and Gitea answer 409 to the list of commits. */
function withoutList(error: unknown, plural: string): { readonly kind: 'gone' | 'refused' } {
  const reason = error instanceof OutgoingError ? error.reason : null;
  if (reason === 'http 403') return { kind: 'refused' };
  if (reason === 'http 409' && plural === 'commits') return { kind: 'gone' };
  throw error;
}

export function refusalWarning(plural: string): string {
  return `the forge refuses the list of ${plural} (http 403), so it is not collected`;
}

/** Nothing unless items were left out. */
export function invalidWarning(plural: string, pages: readonly { readonly invalid: number }[]): readonly string[] {
  const all = pages.reduce((total, { invalid }) => total + invalid, 0);
  return all === 0 ? [] : [`${plural} that were left out, because they are not valid: ${all}`];
}

/** `unchanged`: no page has changed. */
export type Outcome = 'unchanged' | 'changed' | Unread;

export interface ListReading {
  readonly list: ForgeList;
  readonly before: ListState;
  /** If all records are stored, and those that are gone are removed. */
  readonly after: ListState;
  readonly records: readonly StoredRecord[];
  readonly outcome: Outcome;
  readonly warnings: readonly string[];
}

/** The reading of a list that the repository does not have, or that must not be read. */
export function unreadList(list: ForgeList, before: ListState, outcome: Unread): ListReading {
  const facts = outcome === 'absent' ? { after: EMPTY_LIST, warnings: [] } : { after: before, warnings: [refusalWarning(`${list.kind}s`)] };
  return { list, before, records: [], outcome, ...facts };
}

interface ReadListOptions extends ListPlace {
  readonly origin: ForgeOrigin;
  readonly before: ListState;
  readonly now: Instant;
}

type ListPage = PageHead & ForgePage;

/** Reads the pages of a list, each only if it has changed. Rejects if one cannot be read; then nothing is known about the list. */
export async function readList(list: ForgeList, { origin, before, now, ...place }: ReadListOptions): Promise<ListReading> {
  const areCommits = list.kind === 'commit';
  const newest = before.pages[0]?.ids[0] ?? before.left[0];
  const read = await readPages<ListPage>(
    {
      path: list.path,
      plural: `${list.kind}s`,
      mostPages: areCommits ? place.client.account.mostPages(list.mostPages) : list.mostPages,
      known: (path) => before.pages.flatMap((page) => (page.path === path ? { ...page, records: [], invalid: 0 } : []))[0] ?? null,
      read: (json, head) => {
        const page = list.read(json, origin, now);
        return page && { ...head, ...(page.records.some(willBegin) && validatorsOf({})), ...page };
      },
      // Of commits, pages are read until one has something that was known.
      isEnough: ({ ids }, isChanged) => areCommits && (!isChanged || (newest !== undefined && ids.includes(newest))),
    },
    place,
  );
  return typeof read === 'string' ? unreadList(list, before, read) : readingOf(list, before, read);
}

function readingOf(list: ForgeList, before: ListState, { pages, changed, hasMore }: ReadPages<ListPage>): ListReading {
  const plural = `${list.kind}s`;
  // Of commits, only the first page is asked for again, and the newest one tells what is known.
  const most = list.kind === 'commit' ? 1 : undefined;
  const states = pages.slice(0, most).map(({ path, etag, lastModified, ids, next }) => ({ path, etag, lastModified, ids: ids.slice(0, most), next }));
  const after = { pages: states, left: [] };
  const isTruncated = hasMore && (list.kind === 'release' || list.kind === 'mission');
  const truncation = `only the newest ${idsOf(after).length} ${plural} are collected, because there are more`;
  return {
    list,
    before,
    after,
    records: changed.flatMap(({ records }) => records),
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    warnings: [...invalidWarning(plural, changed), ...(isTruncated ? [truncation] : [])],
  };
}

/** A mission becomes active at its date, without a change at the forge. So its page is read again each time until then. */
function willBegin(record: StoredRecord): boolean {
  return record.kind === 'mission' && record.status === 'planned' && record.startedAt !== null;
}

/** What is stored of a list before its records: the ids of all that may be stored then. What has changed is read again if the process is killed. */
export function rememberedList({ list, before, after, outcome }: ListReading): ListState {
  if (outcome === 'unchanged' || outcome === 'refused') return before;
  return { pages: [], left: list.kind === 'commit' ? [] : [...new Set([...idsOf(after), ...idsOf(before)])] };
}

const MOST_PENDING = 2_000;

/** The logins of commits that no other source has stored yet, so that the store refuses them. They are offered again with each run, until git has collected the commits. */
export class PendingAuthors {
  #pending = new Map<string, Commit>();

  get size(): number {
    return this.#pending.size;
  }

  /** Stores the logins of known commits. Resolves with the number of records that have changed. */
  async put(records: readonly StoredRecord[], at: Instant, { writer, signal }: SourceContext): Promise<number> {
    for (const record of records) if (record.kind === 'commit') this.#pending.set(record.sha, record);
    const offered = [...this.#pending.values()].slice(-MOST_PENDING);
    if (offered.length === 0) return 0;
    const { stored, refused } = await writer.put(offered, { signal, filledAt: at });
    const unknown = refused.flatMap(({ index, reason }) => (reason === 'unknown-commit' ? (offered[index] ?? []) : []));
    this.#pending = new Map(unknown.map((commit) => [commit.sha, commit]));
    return stored;
  }
}

interface StoreListsOptions {
  readonly origin: ForgeOrigin;
  readonly found: FoundRepository;
  readonly authors: PendingAuthors;
  readonly at: Instant;
}

/** Stores the records of lists that have changed, and withdraws those that are no longer listed. `refused`: the records that the store has refused, by kind. */
export async function storeLists(lists: readonly ListReading[], { origin, found, authors, at }: StoreListsOptions, context: SourceContext) {
  const listed = lists.flatMap(({ records }) => records);
  const repository = found.changed === null ? [] : [forgeRepository(origin, found.changed.repository, at)];
  const records = [...repository, ...listed.filter(({ kind }) => kind !== 'commit')];
  const { stored, unchanged, refusedRecords } = await putInBatches(records, at, context);
  const logins = await authors.put(listed, at, context);
  const gone = lists.flatMap((reading) => goneOf(reading, origin.ref));
  const removed = await context.writer.remove(gone, context);
  const refused = grouped(refusedRecords, ({ index }) => records[index]?.kind);
  return { stored: stored + logins, unchanged, removed, refused };
}

function goneOf({ list: { kind }, before, after }: ListReading, repositoryRef: RepositoryRef): readonly RecordIdentity[] {
  if (kind === 'commit') return [];
  const present = new Set(idsOf(after));
  return idsOf(before).flatMap((id) => (present.has(id) ? [] : [{ kind, repositoryRef, id }]));
}
