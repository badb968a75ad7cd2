import { createHash } from 'node:crypto';
import { canonicalAddress } from '../web-text/web-address.js';
import { type FeedItem, titleOf } from './feed-formats.js';
import { withoutAddress } from './feed-origin.js';

/** An item with its identity within its feed, and its address. */
export interface IdentifiedItem {
  readonly item: FeedItem;
  /** The guid, or else the address, or else the title with the date. */
  readonly identity: string;
  /** The canonical address; `null` if the item has none that can be published. */
  readonly address: string | null;
}

/** Hashes of guids, with the hash of the address of the item that is stored under the guid. It begins with {@link SHARED} if other items had the guid as well. */
export type GuidOwners = Readonly<Record<string, string>>;

export interface DistinctItems {
  readonly items: readonly IdentifiedItem[];
  /** One line for each reason for which items were left out. */
  readonly warnings: readonly string[];
  /** To be passed with the next version of the feed. */
  readonly owners: GuidOwners;
}

/**
 * The items of a feed by their identity. Feeds begin with the newest version, so the first one of several counts. Items with the same guid and different
 * addresses are different items.
 *
 * @param base resolves relative addresses
 * @param stored the items of the last version: they keep their guid as identity
 */
export function distinctItems(items: readonly FeedItem[], base: string | null, stored: GuidOwners = {}): DistinctItems {
  const found = new Map<string, IdentifiedItem>();
  const located = items.map((item) => ({ item, address: addressOf(item, base) }));
  const owned = ownersOf(located, stored);
  let [anonymous, repeated] = [0, 0];
  for (const { item, address } of located) {
    const identity = identityOf(item, address, owned);
    if (identity === null) anonymous++;
    else if (found.has(identity)) repeated++;
    else found.set(identity, { item, identity, address });
  }
  const warnings = [...withoutAddress(anonymous, base), ...(repeated > 0 ? [`${count(repeated)} left out: with the guid of an earlier item`] : [])];
  const owners = Object.fromEntries([...owned].map(([guid, owner]) => [hashOf(guid), owner]));
  return { items: [...found.values()], warnings, owners };
}

type LocatedItem = Pick<IdentifiedItem, 'item' | 'address'>;

const SHARED = '*';

/** For each guid the item that is identified by the guid alone: the stored one, or else the first one. A guid of a single item keeps to it when it moves. */
function ownersOf(items: readonly LocatedItem[], stored: GuidOwners): ReadonlyMap<string, string> {
  const addresses = new Map<string, Set<string>>();
  for (const { item, address } of items) {
    if (item.guid === undefined || address === null) continue;
    const known = addresses.get(item.guid);
    if (known === undefined) addresses.set(item.guid, new Set([address]));
    else known.add(address);
  }
  return new Map([...addresses].map(([guid, [first = '', ...others]]) => [guid, ownerOf(first, others.length > 0, stored[hashOf(guid)])]));
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

function addressOf({ links, permalink, base: own }: FeedItem, feedBase: string | null): string | null {
  const base = canonicalAddress(own, feedBase) ?? feedBase;
  for (const link of links) {
    const address = canonicalAddress(link, base);
    if (address !== null) return address;
  }
  return canonicalAddress(permalink, null);
}

const HASH_LENGTH = 16;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

function count(items: number): string {
  return items === 1 ? '1 item was' : `${String(items)} items were`;
}
