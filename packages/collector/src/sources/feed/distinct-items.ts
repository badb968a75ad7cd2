import type { FeedSourceConfig } from '@vitrine/config';
import { grouped, type Instant, type Provenance, type ScopeRef } from '@vitrine/core';
import { hash } from 'node:crypto';
import { type Feed, type FeedItem, titleOf } from './feed-formats.js';
import { canonicalAddress, withoutQuery } from '../web-text/web-address.js';

export interface IdentifiedItem {
  readonly item: FeedItem;
  /** The guid, or else the address, or else the title with the date. */
  readonly identity: string;
  /** The canonical address; `null` if the item has none that can be published. */
  readonly address: string | null;
}

/** Hashes of guids, with the hash of the address of the item that is stored under the guid. It begins with {@link SHARED} if other items had the guid as well. */
export type GuidOwners = Readonly<Record<string, string>>;

/** The first of several counts, because feeds begin with the newest version. One guid with two addresses is two items. @param stored of the last version */
export function distinctItems({ items }: Feed, places: Places, stored: GuidOwners) {
  const found = new Map<string, IdentifiedItem>();
  const located = items.map((item) => ({ item, address: addressOf(item, places) }));
  const owned = ownersOf(located, stored);
  let [anonymous, repeated] = [0, 0];
  for (const { item, address } of located) {
    const identity = identityOf(item, address, owned);
    if (identity === null) anonymous++;
    else if (found.has(identity)) repeated++;
    else found.set(identity, { item, identity, address });
  }
  const warnings = [
    ...withoutAddress(anonymous, places.base),
    ...(repeated > 0 ? [`${counted(repeated)} left out: with the guid of an earlier item`] : []),
  ];
  const owners: GuidOwners = Object.fromEntries([...owned].map(([guid, owner]) => [hashOf(guid), owner]));
  return { items: [...found.values()], warnings, owners };
}

type LocatedItem = Pick<IdentifiedItem, 'item' | 'address'>;

const SHARED = '*';

/** For each guid the item that is identified by the guid alone: the stored one, or else the first one. A guid of a single item keeps to it when it moves. */
function ownersOf(items: readonly LocatedItem[], stored: GuidOwners): ReadonlyMap<string, string> {
  const located = items.flatMap(({ item: { guid }, address }) => (guid === undefined || address === null ? [] : [{ guid, address }]));
  return new Map(
    [...grouped(located, ({ guid }) => guid)].map(([guid, same]) => {
      const [first = '', ...others] = new Set(same.map(({ address }) => address));
      return [guid, ownerOf(first, others.length > 0, stored[hashOf(guid)])];
    }),
  );
}

function ownerOf(first: string, isShared: boolean, before: string | undefined): string {
  if (before?.startsWith(SHARED) === true) return before;
  return isShared ? SHARED + (before ?? hashOf(first)) : hashOf(first);
}

function identityOf(item: FeedItem, address: string | null, owners: ReadonlyMap<string, string>): string | null {
  const { guid, published } = item;
  if (guid !== undefined) return address === null || owners.get(guid)?.endsWith(hashOf(address)) === true ? guid : JSON.stringify([guid, address]);
  if (address !== null) return address;
  const title = titleOf(item);
  return title === '' ? null : JSON.stringify(['title', title, published ?? '']);
}

function addressOf({ links, permalink, base: own }: FeedItem, { base: feedBase, feed }: Places): string | null {
  const base = statedAddress(own, feedBase, feed) ?? feedBase;
  for (const link of links) {
    const address = statedAddress(link, base, feed);
    if (address !== null) return address;
  }
  return statedAddress(permalink, null, feed);
}

/** An address in a feed, in its canonical form. Many feeds state their own address; its query is not published. @param feed as in {@link Places} */
function statedAddress(text: string | undefined, base: string | null, feed: string | null): string | null {
  const address = canonicalAddress(text, base);
  return address !== null && address.split('#', 1)[0] === feed ? withoutQuery(address) + new URL(address).hash : address;
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

function counted(items: number): string {
  return items === 1 ? '1 item was' : `${String(items)} items were`;
}

export interface FeedOrigin extends Omit<FeedSourceConfig, 'kind' | 'intervalMs'> {
  /** The repository that its items are about. Default: none. */
  readonly repositoryRef?: ScopeRef;
}

interface Places {
  /** Its canonical address, which may not be published. */
  readonly feed: string | null;
  /** The base for relative addresses: `xml:base`, or else the web page of the feed, or else its address, or the public one of a private feed. */
  readonly base: string | null;
  /** The address that names the feed. A query is never published, and says nothing without its value, so a feed with one is named by its web page. */
  readonly url: string | null;
}

/** The addresses of a feed; `null`: there is none. A relative address such as `#a` keeps the query of its base, so the base has none. */
export function placesOf({ address, publicUrl, allowPrivate }: FeedOrigin, { base, home: page }: Feed): Places {
  const feed = canonicalAddress(address, null);
  const own = allowPrivate ? publicUrl : withoutQuery(address);
  const stated = statedAddress(base, own, feed);
  const home = statedAddress(page, stated ?? own, feed) ?? own;
  const whole = new URL(address).search === '' ? own : null;
  return { feed, base: stated ?? home, url: publicUrl ?? whole ?? home };
}

/** Why items without an address are left out. If the address of the feed is private, they may have had one that cannot be published. */
export function withoutAddress(count: number, base: string | null): readonly string[] {
  if (count === 0) return [];
  const reason =
    base === null
      ? 'without an address that may be published, because the feed is in a private network; add the key url to the source'
      : 'without a guid, an address and a title';
  return [`${counted(count)} left out: ${reason}`];
}

/** @param sourceUrl the one of {@link placesOf}, or the address of the item */
export function feedProvenance({ label, isOfficial }: FeedOrigin, sourceUrl: string, observedAt: Instant, publishedAt: Instant | null): Provenance {
  return {
    source: label,
    sourceKind: isOfficial ? 'official-source' : 'community-feed',
    sourceUrl,
    observedAt,
    ...(publishedAt !== null && { publishedAt }),
    confidence: isOfficial ? 'high' : 'medium',
    isOfficialSource: isOfficial,
  };
}
