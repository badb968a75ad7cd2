import { type Instant, type News, NO_REPOSITORY } from '@vitrine/core';
import { type DocumentMemory, type ParsedDocument, DocumentSource } from '../documents/document-source.js';
import { idOf } from '../web-text/plain-text.js';
import { statedTime } from '../web-text/web-address.js';
import { baseOf, distinctItems, type FeedOrigin, feedProvenance, type IdentifiedItem, publicAddressOf, withoutAddress } from './distinct-items.js';
import { summaryOf, titleOf } from './feed-formats.js';
import { readFeed } from './read-feed.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';

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

/** The media types of all formats of feeds. */
export const FEED_TYPES =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

interface FeedSourceOptions extends FeedOrigin {
  readonly intervalMs: number;
}

/** The source for a feed of news. News that scroll out of the feed stay. */
export function feedSource({ intervalMs, ...origin }: FeedSourceOptions, client: OutgoingClient): DocumentSource {
  const { address, allowPrivate, label } = origin;
  return new DocumentSource({
    client,
    address,
    allowPrivate,
    accept: FEED_TYPES,
    intervalMs,
    registration: { id: `feed:${label}`, sourceType: 'feed', label, repositoryRef: NO_REPOSITORY, feeds: ['news'] },
    settings: origin,
    parse: (document, now, memory) => parseNews(document, origin, now, memory),
  });
}
