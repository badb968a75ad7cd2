import { type Instant, type News, NO_REPOSITORY } from '@vitrine/core';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import type { DocumentMemory, DocumentSource, FeedDocument, ParsedDocument } from '../documents/document-source.js';
import { idOf } from '../web-text/plain-text.js';
import { statedTime } from '../web-text/web-address.js';
import { type FeedOrigin, feedProvenance, type IdentifiedItem } from './distinct-items.js';
import { summaryOf, titleOf } from './feed-formats.js';
import { type Channel, itemsSource, parseItems } from './parse-items.js';

/** A news record for each item of a feed. Throws a `DocumentError` if the document is not a feed. @param now when the feed was fetched */
export function parseNews(document: FeedDocument, origin: FeedOrigin, now: Instant, memory: DocumentMemory = {}): ParsedDocument {
  return parseItems(document, { origin, now, memory }, newsOf, 'have neither a title nor an address');
}

/** `null` if the item has nothing that can be shown. */
function newsOf({ item, identity, address }: IdentifiedItem, { origin, originUrl, now }: Channel<FeedOrigin>): News | null {
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

/** The source for a feed of news. News that scroll out of the feed stay. */
export function feedSource({ intervalMs, ...origin }: FeedOrigin & { readonly intervalMs: number }, client: OutgoingClient): DocumentSource {
  return itemsSource({ type: 'feed', feeds: ['news'], repositoryRef: NO_REPOSITORY, origin, intervalMs, client, parse: parseNews });
}
