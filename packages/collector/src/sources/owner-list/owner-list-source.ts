import { GITHUB_API, type Environment, type OwnerPattern } from '@vitrine/config';
import { formatInstant, SECOND, type Clock, type Instant, candidateEntries, CONFIGURATION, NO_REPOSITORY } from '@vitrine/core';
import type { OutgoingClient, OutgoingResponse } from '../../fetching/outgoing-client.js';
import { OutgoingError, retryAfterMs } from '../../fetching/outgoing-response.js';
import { tokenIn } from '../../fetching/token-in.js';
import { nextPageOf, parseListPage, OwnerListError } from './list-page.js';
import { type ListPage, ownerListId, ownerListState, parseOwnerList, repositoriesOf } from './owner-list.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';

interface FetchOwnerListOptions {
  readonly client: OutgoingClient;
  readonly pattern: OwnerPattern;
  /** Has the token. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The stored pages. Those that have not changed are not sent again. */
  readonly known: readonly ListPage[];
}

/** 10,000 repositories. */
const MOST_PAGES = 100;
const GITHUB_TOKEN = 'GITHUB_TOKEN';

/**
 * All pages of an owner's public repositories; `null` if the forge knows no such owner. Rejects with an {@link OwnerListError} or an `OutgoingError` if
 * any page cannot be read, so that a list is never taken in part.
 */
async function fetchOwnerList(options: FetchOwnerListOptions): Promise<readonly ListPage[] | null> {
  const { pattern, known } = options;
  const pages: ListPage[] = [];
  let url: string | null = firstPageOf(pattern);
  while (url !== null) {
    if (pages.length === MOST_PAGES)
      throw new OwnerListError(`${pattern.owner} has more than ${String(MOST_PAGES)} pages of repositories`, 'TOO_MANY');
    const at: string = url;
    if (pages.some((page) => page.url === at)) throw new OwnerListError(`the list of ${pattern.owner} has no end`, 'NO_LIST');
    const page: ListPage | null = await fetchPage(at, known.find((one) => one.url === at) ?? null, options);
    if (page === null && pages.length > 0) throw new OwnerListError(`a page of the list of ${pattern.owner} is missing`, 'NO_LIST');
    if (page === null) return null;
    pages.push(page);
    url = page.next;
  }
  return pages;
}

/** The oldest come first, so that a new repository changes only the last page. */
function firstPageOf({ api, owner }: OwnerPattern): string {
  return `${api}/users/${encodeURIComponent(owner)}/repos?type=owner&sort=created&direction=asc&per_page=100`;
}

/** `null` if there is no such page. */
async function fetchPage(url: string, known: ListPage | null, options: FetchOwnerListOptions): Promise<ListPage | null> {
  const { client, pattern, environment, clock, signal } = options;
  const response = await client.request({
    url,
    headers: { accept: 'application/vnd.github+json', ...conditionOf(known) },
    credentials: credentialsOf(pattern, environment),
    allowPrivate: pattern.allowPrivate,
    signal,
  });
  if (new URL(response.url).origin !== new URL(url).origin)
    throw new OwnerListError(`the list of ${pattern.owner} redirects to another server`, 'OTHER_SERVER');
  if (response.status === 404) return null;
  if (response.status === 304 && hasCondition(known)) return known;
  if (response.status !== 200) throw failureOf(response, clock.now());
  return pageOf(url, response, pattern);
}

type Tagged = ListPage & { readonly etag: string };

function hasCondition(known: ListPage | null): known is Tagged {
  return known !== null && known.etag !== null;
}

function conditionOf(known: ListPage | null): Readonly<Record<string, string>> {
  return hasCondition(known) ? { 'if-none-match': known.etag } : {};
}

function pageOf(url: string, { headers, body }: OutgoingResponse, pattern: OwnerPattern): ListPage {
  return { url, etag: headers.etag ?? null, next: nextPageOf(linkOf(headers['link']), url), repositories: [...parseListPage(body, pattern)] };
}

/** The token of an address is sent to that address only. */
function credentialsOf({ api, token, owner }: OwnerPattern, environment: Environment): Readonly<Record<string, string>> {
  const variable = token ?? (api === GITHUB_API ? GITHUB_TOKEN : null);
  const secret = variable === null ? '' : tokenIn(environment, variable);
  if (secret === null) throw new OwnerListError(`the environment variable ${String(variable)} contains no token; set it to one`, 'NO_TOKEN');
  if (secret !== '') return { authorization: `Bearer ${secret}` };
  if (token === null) return {};
  throw new OwnerListError(`the list of ${owner} needs the environment variable ${token}, which is not set`, 'NO_VARIABLE');
}

/** A header may be sent twice. */
function linkOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}

const LIMITING = new Set([403, 429]);

function failureOf({ status, url, headers }: OutgoingResponse, now: Instant): Error {
  const wait = retryAfterMs(headers['retry-after'], now);
  const limited = LIMITING.has(status) ? (wait ?? untilReset(headers, now)) : null;
  const { host } = new URL(url);
  if (limited !== null)
    return new OwnerListError(
      `${host} accepts no more requests until ${formatInstant(now + limited)}. With a token in ${GITHUB_TOKEN}, it accepts more`,
      'RATE_LIMITED',
      limited,
    );
  return new OutgoingError(new URL(url), `http ${status}`, `responded with the status ${String(status)}`, wait);
}

/** How long a limit that is used up lasts; `null` if none is. */
function untilReset(headers: OutgoingResponse['headers'], now: Instant): number | null {
  const [remaining, reset] = [headers['x-ratelimit-remaining'], Number(headers['x-ratelimit-reset'])];
  return remaining === '0' && reset * SECOND > now ? reset * SECOND - now : null;
}

export interface OwnerListSourceOptions {
  readonly pattern: OwnerPattern;
  readonly client: OutgoingClient;
  /** Has the token. */
  readonly environment: Environment;
}

/** Stores the list of an owner's public repositories. Every process applies it to the patterns of its own configuration. A run that fails leaves the list as it was. */
export class OwnerListSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #options: OwnerListSourceOptions;

  constructor(options: OwnerListSourceOptions) {
    const { owner, intervalMs } = options.pattern;
    const label = `${owner}/*`;
    const id = ownerListId(options.pattern);
    super(`approved ${label}`, intervalMs, { id, sourceType: CONFIGURATION, label, repositoryRef: NO_REPOSITORY, feeds: [] });
    this.#options = options;
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { clock, signal } = context;
    const at = clock.now();
    const sync = await this.syncIn(context);
    const before = parseOwnerList(sync?.state ?? null) ?? [];
    const fetched = await fetchOwnerList({ ...this.#options, clock, signal, known: before });
    const after = fetched ?? [];
    await this.complete(sync, { at, state: ownerListState(after) }, context);
    return { ...this.#changes(before, after), warnings: fetched === null ? [this.#unknownOwner] : [] };
  }

  get #unknownOwner(): string {
    const { owner, api } = this.#options.pattern;
    return `${this.id}: ${new URL(api).host} knows no owner ${owner}, so the pattern approves nothing; correct it in approved`;
  }

  #changes(before: readonly ListPage[], after: readonly ListPage[]) {
    const [old, current] = [this.#chosen(before), this.#chosen(after)];
    const added = [...current.keys()].filter((key) => !old.has(key));
    const gone = [...old.keys()].filter((key) => !current.has(key));
    const notices = [
      ...added.map((key) => `${String(current.get(key))} is approved by ${this.registration.label} from now on`),
      ...gone.map((key) => `${String(old.get(key))} is no longer approved by ${this.registration.label}`),
    ];
    return { stored: added.length, unchanged: current.size - added.length, removed: gone.length, notices };
  }

  /** The names of those that the pattern approves, by name and id. */
  #chosen(pages: readonly ListPage[]): ReadonlyMap<string, string> {
    const { pattern } = this.#options;
    const lists = new Map([['', repositoriesOf(pages)]]);
    const entries = candidateEntries({ named: [], patterns: [{ ...pattern, listId: '' }], lists });
    return new Map(entries.map(({ fullName, forgeId }) => [`${fullName}#${String(forgeId)}`, fullName]));
  }
}
