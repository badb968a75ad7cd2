import type { Instant, ScopeRef, StoredRecord, SyncedKind } from '@vitrine/core';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { type DocumentMemory, DocumentSource, type FeedDocument, type ParsedDocument } from '../documents/document-source.js';
import { baseOf, distinctItems, type FeedOrigin, type IdentifiedItem, publicAddressOf, withoutAddress } from './distinct-items.js';
import type { Feed } from './feed-formats.js';
import { readFeed } from './read-feed.js';

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
