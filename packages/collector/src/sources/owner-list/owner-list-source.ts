import { SourceError, type RunReport, type SourceContext, DocumentError } from '../../running/source.js';
import type { OwnerPattern } from '@vitrine/config';
import { asciiLowerCase, candidateEntries, CONFIGURATION, isForgeId, NO_REPOSITORY, parseRepositoryName, type ListedRepository } from '@vitrine/core';
import { z } from 'zod';
import type { ForgeCall, ForgeClient } from '../forge/forge-client.js';
import { RegisteredSource } from '../../running/registered-source.js';
import { type ListPage, ownerListId, ownerListState, parseOwnerList, repositoriesOf } from './owner-list.js';

const MOST_PAGES = 100;

/** What is read of a repository, as GitHub lists it; `visibility` is missing on old servers. */
const repository = z.object({
  id: z.number().int().nonnegative(),
  name: z.string(),
  private: z.boolean(),
  visibility: z.string().optional(),
  fork: z.boolean(),
  archived: z.boolean(),
  owner: z.object({ login: z.string(), id: z.number().int() }),
});
const list = z.array(repository).max(1_000);

/** Stores the list of an owner's public repositories. Every process applies it to the patterns of its own configuration. A run that fails leaves the list as it was. */
export class OwnerListSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #pattern: OwnerPattern;
  readonly #client: ForgeClient;

  constructor(pattern: OwnerPattern, client: ForgeClient) {
    const label = `${pattern.owner}/*`;
    const registration = { id: ownerListId(pattern), sourceType: CONFIGURATION, label, repositoryRef: NO_REPOSITORY, feeds: [] } as const;
    super(`approved ${label}`, pattern.intervalMs, registration);
    [this.#pattern, this.#client] = [pattern, client];
  }

  async run(context: SourceContext): Promise<RunReport> {
    const at = context.clock.now();
    const sync = await this.syncIn(context);
    const before = parseOwnerList(sync?.state) ?? [];
    const fetched = await this.#fetch(before, context);
    const after = fetched ?? [];
    await this.complete(sync, { at, state: ownerListState(after) }, context);
    const { owner, api } = this.#pattern;
    const unknown = `${this.id}: ${new URL(api).host} knows no owner ${owner}, so the pattern approves nothing; correct it in approved`;
    return { ...this.#changes(before, after), warnings: fetched === null ? [unknown] : [] };
  }

  /** All pages, so that a list is never taken in part; `null` if the forge knows no such owner. @param known the stored pages: those that have not changed are not sent again */
  async #fetch(known: readonly ListPage[], call: ForgeCall): Promise<readonly ListPage[] | null> {
    const { api, owner } = this.#pattern;
    const { origin } = new URL(api);
    const pages: ListPage[] = [];
    // The oldest come first, so that a new repository changes only the last page.
    const query = 'type=owner&sort=created&direction=asc&per_page=100';
    let url: string | null = `${origin}${this.#client.basePath}/users/${encodeURIComponent(owner)}/repos?${query}`;
    while (url !== null) {
      const at: string = url;
      if (pages.length === MOST_PAGES) throw new SourceError(`${owner} has more than ${MOST_PAGES} pages of repositories`, 'TOO_MANY');
      if (pages.some((page) => page.url === at)) throw new SourceError(`the list of ${owner} has no end`, 'NO_LIST');
      const page: ListPage | null = await this.#page(at, known.find((one) => one.url === at && one.etag !== null) ?? null, call);
      if (page === null && pages.length > 0) throw new SourceError(`a page of the list of ${owner} is missing`, 'NO_LIST');
      if (page === null) return null;
      pages.push(page);
      url = page.next;
    }
    return pages;
  }

  /** `null` if there is no such page. */
  async #page(url: string, known: ListPage | null, call: ForgeCall): Promise<ListPage | null> {
    const { origin } = new URL(url);
    const answer = await this.#client.get(url.slice(origin.length), known === null ? null : { etag: known.etag, lastModified: null }, call);
    if (answer.kind === 'unchanged') return known;
    if (answer.kind === 'gone') return null;
    // That is also how a page for signing in, or for maintenance, is announced. So it does not say that the owner is gone.
    if (answer.kind === 'moved') {
      const place = answer.path === null ? 'another server; correct api' : 'another path of its server; correct api, and the name in approved';
      throw new SourceError(`the list of ${this.#pattern.owner} redirects to ${place}`, 'REDIRECTED');
    }
    const { validators, next, json } = answer;
    return { url, etag: validators.etag, next: next === null ? null : origin + next, repositories: [...publicRepositories(json, this.#pattern)] };
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
    const lists = new Map([['', repositoriesOf(pages)]]);
    const entries = candidateEntries({ named: [], patterns: [{ ...this.#pattern, listId: '' }], lists });
    return new Map(entries.map(({ fullName, forgeId }) => [`${fullName}#${String(forgeId)}`, fullName]));
  }
}

/** The owner's public repositories on a page. Throws if it is no such page, or if the name belongs to another owner now. */
function publicRepositories(json: unknown, { owner, ownerId }: OwnerPattern): readonly ListedRepository[] {
  const page = list.safeParse(json);
  if (!page.success) throw new DocumentError('not a forge', `the list of ${owner} is not a list of repositories as GitHub sends it`);
  const own = page.data.filter((one) => asciiLowerCase(one.owner.login) === asciiLowerCase(owner));
  const other = ownerId === null ? undefined : own.find((one) => String(one.owner.id) !== ownerId)?.owner.id;
  if (other !== undefined)
    throw new SourceError(
      `the name ${owner} belongs to the account ${other}, and not to ${String(ownerId)}. If you trust this account, write id: ${other}`,
      'OTHER_OWNER',
    );
  return own.flatMap(listedOf);
}

function listedOf({ id, owner, visibility = 'public', fork: isFork, archived: isArchived, ...found }: z.output<typeof repository>) {
  const name = parseRepositoryName(`${owner.login}/${found.name}`);
  if (name === null || found.private || visibility !== 'public' || !isForgeId(String(id))) return [];
  return [{ ...name, forgeId: String(id), isFork, isArchived } satisfies ListedRepository];
}
