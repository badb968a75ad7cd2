import { grouped, parseDateTime, type Instant, type RepositoryName, type StoredRecord, type SyncedKind } from '@vitrine/core';
import { z } from 'zod';
import { DocumentError } from '../../running/source.js';
import type { PullRequest } from '../findings/pull-requests.js';
import type { GitOrigin } from '../git/git-collection.js';
import type { ForgePullRequest } from './forge-state.js';

const CONTROLS = /\p{Cc}/u;

/** Fields of documents that forges send. A field that may be `null` may also be missing. */
export const text = z.string().max(1_000_000);
export const optionalText = text.nullish().transform((value) => value ?? null);

export function texts<const Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof optionalText>> {
  return Object.fromEntries(names.map((name) => [name, optionalText])) as Record<Name, typeof optionalText>;
}

/** Sums of two stay exact. */
export const count = z
  .number()
  .int()
  .nonnegative()
  .max(2 ** 50);
/** The name of a tag. It is a part of ids and addresses, so it cannot be changed. */
export const tagName = z
  .string()
  .regex(/^\S{1,255}$/)
  .refine((name) => name.isWellFormed() && !CONTROLS.test(name));
/** A time that an item cannot do without, as an instant. */
export const time = text.transform((value) => parseDateTime(value)).pipe(z.number());
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

/** Gitea sends the year 1, or the first second of 1970 in its own zone, for times that it does not know. */
const FIRST_KNOWN = Date.UTC(1971, 0);

export function timeIn(text: string | null): Instant | null {
  const time = text === null ? null : parseDateTime(text);
  return time === null || time < FIRST_KNOWN ? null : time;
}

export function fateOf(state: string, isMerged: boolean): PullRequest['fate'] {
  if (isMerged) return 'merged';
  return state === 'closed' ? 'closed' : 'open';
}

/** No page of a forge has more items. */
const MOST_ITEMS = 1_000;

/** What becomes of one item: its id and its record, if it has one; or `null`, because it must not be shown, such as a draft. */
type Made = { readonly id: string; readonly record: StoredRecord | null } | null;

interface ListOf<Item> extends Omit<ForgeList, 'read'> {
  /** The list in a document. Default: the document is the list. */
  readonly listIn?: (json: unknown) => unknown;
  readonly item: z.ZodType<Item>;
  readonly make: (item: Item, origin: ForgeOrigin, now: Instant) => Made | (StoredRecord & { readonly id: string });
}

/** Items that do not have the fields, or have the id of an earlier one, are left out and counted. */
export function listOf<Item>({ listIn = (json) => json, item, make, ...list }: ListOf<Item>): ForgeList {
  return {
    ...list,
    read: (json, origin, now) => {
      const read = itemsOf(listIn(json), item);
      if (read === null) return null;
      const made = read.items.flatMap((one) => make(one, origin, now) ?? []).map((one) => ('kind' in one ? { id: one.id, record: one } : one));
      const byId = grouped(made, ({ id }) => id);
      const records = [...byId.values()].flatMap(([first]) => first?.record ?? []);
      return { records, ids: [...byId.keys()], invalid: read.invalid + made.length - byId.size };
    },
  };
}

/** The items of a list that have the fields, and how many have not. `null` if it is not a list. */
export function itemsOf<Item>(list: unknown, item: z.ZodType<Item>) {
  if (!Array.isArray(list)) return null;
  const read = list.slice(0, MOST_ITEMS).map((one: unknown) => item.safeParse(one));
  const items = read.flatMap((result) => (result.success ? [result.data] : []));
  return { items, invalid: read.length - items.length };
}

const LONGEST_LINK = 10_000;
/** The target of the link to the next page. No parameter of a link has a `<`. */
const NEXT = /<([^<>\s]{1,2048})>[^<]*?;\s*rel\s*=\s*"?next"?\s*(?:[;,]|$)/i;
/** Only for the query of a link that has no host. */
const ANY_HOST = 'https://forge.invalid';
/** Also in a header that is too long or not well formed. */
const HAS_NEXT = /rel\s*=\s*["']?next\b/i;

/**
 * The path of the next page, as a `Link` header says it; `null` if there is none. Only the query of the link is used, on the path that was asked for. So no link leads to another
 * host or to another list, and a forge whose links name its public address can be read at an internal one. Throws if a next page has no query: the list must not end there.
 *
 * @param path of this page, with its query
 */
export function nextPathOf(link: string | string[] | undefined, path: string): string | null {
  const text = String(link ?? '');
  const query = text.length > LONGEST_LINK ? '' : queryOf(NEXT.exec(text)?.[1]);
  const [list = ''] = path.split('?', 1);
  if (query !== '') return list + query;
  if (HAS_NEXT.test(text))
    throw new DocumentError('not a forge', `${list} has a link to a next page that cannot be followed; correct the address in api`);
  return null;
}

/** The path of the next page of a list without links, `null` if there is none: of milestones, Gitea and Forgejo say only how many there are. How many a page has, the first one shows. */
export function countedPathOf(total: string | string[] | undefined, json: unknown, path: string): string | null {
  if (!Array.isArray(json) || json.length === 0) return null;
  const [list = '', query] = path.split('?', 2);
  const parameters = new URLSearchParams(query);
  const page = Number(parameters.get('page') ?? 1);
  const size = page === 1 ? json.length : Number(parameters.get('limit') ?? json.length);
  if (!(page * size < Number(total))) return null;
  parameters.set('limit', String(size));
  parameters.set('page', String(page + 1));
  return `${list}?${parameters.toString()}`;
}

function queryOf(target: string | undefined): string {
  return target !== undefined && URL.canParse(target, ANY_HOST) ? new URL(target, ANY_HOST).search : '';
}

/** The words that name a platform in file names of releases. A word counts only if no letter is next to it. */
const PLATFORMS: readonly (readonly [platform: string, words: RegExp])[] = [
  ['windows', /(?<![a-z])(?:windows|win(?:32|64)?|msvc|mingw)(?![a-z])|\.(?:exe|msi|msix)$/i],
  ['macos', /(?<![a-z])(?:macos|mac|darwin|osx|apple)(?![a-z])|\.(?:dmg|pkg)$/i],
  ['linux', /(?<![a-z])(?:linux|ubuntu|debian|musl)(?![a-z])|\.(?:deb|rpm|appimage|snap|flatpak)$/i],
  ['android', /(?<![a-z])android(?![a-z])|\.(?:apk|aab)$/i],
  ['ios', /(?<![a-z])(?:ios|iphone)(?![a-z])|\.ipa$/i],
];

const LONGEST = 255;

/** The platform of a release, from the names of its files; `null` if they name none, or several. */
export function platformOfAssets(names: readonly string[]): string | null {
  const found = new Set(names.flatMap((name) => PLATFORMS.find(([, words]) => words.test(name.slice(-LONGEST)))?.[0] ?? []));
  const [platform = null] = found;
  return found.size === 1 ? platform : null;
}

/** The values that all records of one forge source share. All shown addresses are built from its own, and never taken from responses. */
export interface ForgeOrigin extends GitOrigin {
  readonly type: ForgeType;
}

export type ForgeType = 'github' | 'gitea' | 'gitlab';

export interface ForgeRepository {
  /** Every immutable id that it has. The first one is the usual one. */
  readonly ids: readonly [string, ...string[]];
  readonly isPublic: boolean;
  readonly defaultBranch: string | null;
  readonly description: string | null;
  readonly language: string | null;
  /** The lists that only members may see, or that are turned off, so that they are not read. */
  readonly withheld: readonly (ListKind | 'pull request')[];
}

export type ListKind = Extract<SyncedKind, 'release' | 'build' | 'mission' | 'commit'>;

export interface ForgePage {
  readonly records: readonly StoredRecord[];
  readonly ids: readonly string[];
  readonly invalid: number;
}

/** Exactly the listed releases and missions are shown, and the newest builds. Of commits, pages after the first one are only read until something known appears. */
export interface ForgeList {
  readonly kind: ListKind;
  /** Below the address of the repository, with a query. */
  readonly path: string;
  readonly mostPages: number;
  /** Pure. `null` if the document is not such a list. @param now for times that the forge does not say */
  readonly read: (json: unknown, origin: ForgeOrigin, now: Instant) => ForgePage | null;
}

export interface PullRequestFacts extends Omit<ForgePullRequest, 'branch' | 'head' | 'opener'> {
  /** Whether its branch is in the repository itself, and not in a fork. */
  readonly isOwn: boolean;
  readonly branch: string | null;
  readonly head: string | null;
  /** See `ForgePullRequest`. Default: only the team can open one. */
  readonly opener?: number | null;
}

export interface ForgeDialect {
  readonly type: ForgeType;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries a token. */
  readonly credentialsOf: (token: string) => Readonly<Record<string, string>>;
  /** Below the address of the API. */
  readonly repositoryPath: (name: RepositoryName) => string;
  /** Pure. `null` if the document does not describe a repository. @param isAnonymous whether it was asked for without a token */
  readonly readRepository: (json: unknown, isAnonymous: boolean) => ForgeRepository | null;
  readonly lists: readonly ForgeList[];
  /** The list of all pull requests, those that were changed last first. `path`: below the address of the repository. `item`: the pull request in an item. */
  readonly pullRequests: { readonly path: string; readonly item: z.ZodType<PullRequestFacts> };
}
