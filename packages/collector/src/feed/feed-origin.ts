import type { Instant, Provenance } from '@vitrine/core';
import { canonicalAddress, withoutQuery } from '../web-text/web-address.js';
import type { Feed } from './feed-item.js';

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

/** The base for relative addresses: the web page of the feed, or else its address. `null` if neither may be published. */
export function baseOf({ address, allowPrivate }: FeedOrigin, { home }: Feed): string | null {
  return canonicalAddress(home, allowPrivate ? null : address) ?? (allowPrivate ? null : address);
}

/** The public address of the origin. A query is never published, and says nothing without its value, so a feed with one is named by its web page. `null` if nothing may be published. */
export function publicAddressOf(origin: FeedOrigin, feed: Feed): string | null {
  const { address, publicUrl, allowPrivate } = origin;
  if (publicUrl !== null) return publicUrl;
  const own = allowPrivate ? null : withoutQuery(address);
  const isWhole = own !== null && new URL(address).search === '';
  return isWhole ? own : (canonicalAddress(feed.home, own) ?? own);
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
