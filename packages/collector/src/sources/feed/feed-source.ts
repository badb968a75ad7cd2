import { type Instant, type ScopeRef, type StoredRecord, type SyncedKind, type News, NO_REPOSITORY } from '@vitrine/core';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { type DocumentMemory, DocumentSource, type FeedDocument, type ParsedDocument } from '../documents/document-source.js';
import { baseOf, distinctItems, type FeedOrigin, type IdentifiedItem, publicAddressOf, withoutAddress, feedProvenance } from './distinct-items.js';
import { type Feed, summaryOf, titleOf } from './feed-formats.js';
import { readFeed } from './read-feed.js';
import { idOf } from '../web-text/plain-text.js';
import { statedTime } from '../web-text/web-address.js';

/** What all items of one feed have in common. */
export interface Channel<Origin extends FeedOrigin> {
  readonly origin: Origin;
  readonly feed: Feed;
  /** The public address of the origin; `null`: it has none. */
  readonly originUrl: string | null;
  /** When the feed was fetched. */
  readonly now: Instant;
}

/**
 * The records of a feed. Throws a `DocumentError` if the document is not a feed.
 *
 * @param recordOf `null` if the item cannot be shown
 * @param lacking why not, after "because they"
 */
export function parseItems<Origin extends FeedOrigin>(
  { body, contentType }: FeedDocument,
  { origin, now, memory }: { readonly origin: Origin; readonly now: Instant; readonly memory: DocumentMemory },
  recordOf: (item: IdentifiedItem, channel: Channel<Origin>) => StoredRecord | null,
  lacking: string,
): ParsedDocument {
  const feed = readFeed(body, contentType);
  const { items, warnings, owners } = distinctItems(feed.items, baseOf(origin, feed), memory);
  const channel = { origin, feed, originUrl: publicAddressOf(origin, feed), now };
  const made = items.map((item) => ({ item, record: recordOf(item, channel) }));
  const records = made.flatMap(({ record }) => record ?? []);
  const hidden = made.filter(({ item, record }) => record === null && item.address === null && channel.originUrl === null).length;
  const left = items.length - records.length - hidden;
  const others = left === 0 ? [] : [`items that were left out, because they ${lacking}: ${String(left)}`];
  return { records, warnings: [...warnings, ...withoutAddress(hidden, null), ...others], memory: owners };
}

/** The media types of all formats of feeds. */
const FEED_TYPES =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

interface ItemsSourceOptions<Origin extends FeedOrigin> {
  readonly type: 'feed' | 'video';
  readonly feeds: readonly SyncedKind[];
  readonly repositoryRef: ScopeRef;
  readonly origin: Origin;
  readonly intervalMs: number;
  readonly client: OutgoingClient;
  readonly parse: (document: FeedDocument, origin: Origin, now: Instant, memory: DocumentMemory) => ParsedDocument;
}

/** The source for the items of a feed. */
export function itemsSource<Origin extends FeedOrigin>(options: ItemsSourceOptions<Origin>): DocumentSource {
  const { type, feeds, repositoryRef, origin, intervalMs, client, parse } = options;
  const { address, allowPrivate, label } = origin;
  return new DocumentSource({
    client,
    address,
    allowPrivate,
    accept: FEED_TYPES,
    intervalMs,
    registration: { id: `${type}:${label}`, sourceType: type, label, repositoryRef, feeds },
    settings: origin,
    parse: (document, now, memory) => parse(document, origin, now, memory),
  });
}

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
