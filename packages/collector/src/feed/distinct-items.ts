import { canonicalAddress } from '../web-text/web-address.js';
import type { FeedItem } from './feed-item.js';
import { withoutAddress } from './feed-origin.js';

/** An item with its identity within its feed, and its address. */
export interface IdentifiedItem {
  readonly item: FeedItem;
  /** The guid, or else the address. */
  readonly identity: string;
  /** The canonical address; `null` if the item has none that can be published. */
  readonly address: string | null;
}

export interface DistinctItems {
  readonly items: readonly IdentifiedItem[];
  /** One line for each reason for which items were left out. */
  readonly warnings: readonly string[];
}

/** The items of a feed by their identity. Feeds begin with the newest version, so the first one of several counts. @param base resolves relative addresses */
export function distinctItems(items: readonly FeedItem[], base: string | null): DistinctItems {
  const found = new Map<string, IdentifiedItem>();
  let [anonymous, repeated] = [0, 0];
  for (const item of items) {
    const address = firstAddress(item.links, base);
    const identity = item.guid ?? address;
    if (identity === null) anonymous++;
    else if (found.has(identity)) repeated++;
    else found.set(identity, { item, identity, address });
  }
  const warnings = [...withoutAddress(anonymous, base), ...(repeated > 0 ? [`${count(repeated)} left out: with the guid of an earlier item`] : [])];
  return { items: [...found.values()], warnings };
}

function firstAddress(links: readonly (string | undefined)[], base: string | null): string | null {
  for (const [index, link] of links.entries()) {
    // Only the link itself may be relative. A guid is an address only if it is a whole one.
    const address = canonicalAddress(link, index === 0 ? base : null);
    if (address !== null) return address;
  }
  return null;
}

function count(items: number): string {
  return items === 1 ? '1 item was' : `${String(items)} items were`;
}
