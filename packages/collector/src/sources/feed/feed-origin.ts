import type { Instant, Provenance } from '@vitrine/core';
import { canonicalAddress, withoutQuery } from '../web-text/web-address.js';
import type { Feed } from './feed-formats.js';

/** What the configuration says about a feed. */
export interface FeedOrigin {
  /** The address that is fetched. It may contain a token in its query. */
  readonly address: string;
  readonly label: string;
  /** The public address of the origin; `null`: the address of the feed, or of its web page. */
  readonly publicUrl: string | null;
  readonly isOfficial: boolean;
  /** If the address may be private, it is not published. */
  readonly allowPrivate: boolean;
}

/**
 * The base for relative addresses: `xml:base`, or else its web page, or else its address, or the public one of a private feed. `null` if none may be
 * published.
 */
export function baseOf({ address, publicUrl, allowPrivate }: FeedOrigin, feed: Feed): string | null {
  const own = allowPrivate ? publicUrl : address;
  return canonicalAddress(feed.base, own) ?? homeOf(feed, own) ?? own;
}

function homeOf({ home, base }: Feed, own: string | null): string | null {
  return canonicalAddress(home, canonicalAddress(base, own) ?? own);
}

/** Why items without an address are left out. If the address of the feed is private, they may have had one that cannot be published. */
export function withoutAddress(count: number, base: string | null): readonly string[] {
  if (count === 0) return [];
  const items = count === 1 ? '1 item was' : `${String(count)} items were`;
  return base === null
    ? [`${items} left out: without an address that may be published, because the feed is in a private network; add the key url to the source`]
    : [`${items} left out: without a guid, an address and a title`];
}

/** The public address of the origin. A query is never published, and says nothing without its value, so a feed with one is named by its web page. `null` if nothing may be published. */
export function publicAddressOf(origin: FeedOrigin, feed: Feed): string | null {
  const { address, publicUrl, allowPrivate } = origin;
  if (publicUrl !== null) return publicUrl;
  const own = allowPrivate ? null : withoutQuery(address);
  const isWhole = own !== null && new URL(address).search === '';
  return isWhole ? own : (homeOf(feed, own) ?? own);
}

/** @param sourceUrl as {@link publicAddressOf} returns it, or the address of the item */
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
