import type { Instant, News } from '@vitrine/core';
import type { DocumentMemory, ParsedDocument } from '../documents/document-source.js';
import { idOf } from '../web-text/id-of.js';
import { statedTime } from '../web-text/stated-time.js';
import { distinctItems, type IdentifiedItem } from './distinct-items.js';
import { baseOf, feedProvenance, publicAddressOf, withoutAddress, type FeedOrigin } from './feed-origin.js';
import { summaryOf, titleOf } from './item-text.js';
import { readFeed } from './read-feed.js';

/** A news record for each item of a feed. Throws a `DocumentError` if the document is not a feed. @param now when the feed was fetched */
export function parseNews(
  { body, contentType }: { readonly body: Uint8Array; readonly contentType: string },
  origin: FeedOrigin,
  now: Instant,
  memory: DocumentMemory = {},
): ParsedDocument {
  const feed = readFeed(body, contentType);
  const { items, warnings, owners } = distinctItems(feed.items, baseOf(origin, feed), memory);
  const originUrl = publicAddressOf(origin, feed);
  const records = items.flatMap((item) => newsOf(item, origin, originUrl, now) ?? []);
  const silent = items.length - records.length;
  return {
    records,
    warnings: [...warnings, ...silentItems(silent, originUrl)],
    memory: owners,
  };
}

/** `null` if the item has nothing that can be shown. */
function newsOf({ item, identity, address }: IdentifiedItem, origin: FeedOrigin, originUrl: string | null, now: Instant): News | null {
  const title = titleOf(item) || address;
  // A record must have an address. That of the origin is the best one for an item whose own cannot be published.
  const url = address ?? originUrl;
  if (title === null || url === null) return null;
  const publishedAt = statedTime(item.published, now);
  return {
    kind: 'news',
    id: idOf(origin.label, identity),
    source: origin.label,
    title,
    summary: summaryOf(item),
    url,
    ...(publishedAt !== null && { publishedAt }),
    discoveredAt: now,
    listedAt: publishedAt ?? now,
    provenance: feedProvenance(origin, originUrl ?? url, now, publishedAt),
  };
}

/** With a public address of the feed, an item with a title always has an address too. */
function silentItems(count: number, originUrl: string | null): readonly string[] {
  if (originUrl === null) return withoutAddress(count, null);
  return count === 0 ? [] : [`items that were left out, because they have neither a title nor an address: ${String(count)}`];
}
