import { hash } from 'node:crypto';
import { type Instant, type News, NO_REPOSITORY, type ScopeRef, type StoredRecord, type SyncedKind } from '@vitrine/core';
import { z } from 'zod';
import { fetchDocument, type FetchedDocument } from '../../fetching/fetch-document.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { putInBatches } from '../../running/record-batches.js';
import { parseState, RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { idOf } from '../web-text/plain-text.js';
import { statedTime } from '../web-text/web-address.js';
import { distinctItems, type FeedOrigin, feedProvenance, type GuidOwners, type IdentifiedItem, placesOf, withoutAddress } from './distinct-items.js';
import { type Feed, summaryOf, titleOf } from './feed-formats.js';
import { readFeed } from './read-feed.js';

export type FeedDocument = Pick<FetchedDocument, 'body' | 'contentType'>;

export interface ParsedFeed {
  readonly records: readonly StoredRecord[];
  /** One line each: the part that was left out, and why. */
  readonly warnings: readonly string[];
  /** To be passed with the next version of the feed. */
  readonly memory: GuidOwners;
}

/** What all items of one feed have in common. */
export interface Channel<Origin extends FeedOrigin> {
  readonly origin: Origin;
  readonly feed: Feed;
  /** The public address of the origin; `null`: it has none. */
  readonly originUrl: string | null;
  /** When the feed was fetched. */
  readonly now: Instant;
}

/** Throws a `DocumentError` if the document is not a feed. @param recordOf `null` if the item cannot be shown @param lacking why not, after "because they" */
export function parseItems<Origin extends FeedOrigin>(
  { body, contentType }: FeedDocument,
  { origin, now, memory }: { readonly origin: Origin; readonly now: Instant; readonly memory: GuidOwners },
  recordOf: (item: IdentifiedItem, channel: Channel<Origin>) => StoredRecord | null,
  lacking: string,
): ParsedFeed {
  const feed = readFeed(body, contentType);
  const places = placesOf(origin, feed);
  const { items, warnings, owners } = distinctItems(feed, places, memory);
  const channel = { origin, feed, originUrl: places.url, now };
  const made = items.map((item) => ({ item, record: recordOf(item, channel) }));
  const records = made.flatMap(({ record }) => record ?? []);
  const hidden = made.filter(({ item, record }) => record === null && item.address === null && places.url === null).length;
  const left = items.length - records.length - hidden;
  const others = left === 0 ? [] : [`items that were left out, because they ${lacking}: ${String(left)}`];
  return { records, warnings: [...warnings, ...withoutAddress(hidden, null), ...others], memory: owners };
}

const FEED_TYPES =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

/** For an address that names this format: Gitea and Forgejo answer with another feed in RSS if a client accepts RSS too. */
const ATOM_TYPES = 'application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

/** Counted up when the same feed gives other records than before. */
const FORMAT = 3;

const stateSchema = z.object({
  settings: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  memory: z.record(z.string(), z.string()),
});

const UNREAD: z.output<typeof stateSchema> = { settings: '', etag: null, lastModified: null, memory: {} };

interface FeedSourceOptions<Origin extends FeedOrigin> {
  readonly type: 'feed' | 'video';
  readonly feeds: readonly SyncedKind[];
  readonly repositoryRef: ScopeRef;
  readonly origin: Origin;
  readonly intervalMs: number;
  readonly client: OutgoingClient;
  /** Pure. @param now for records whose times the feed does not say @param memory that of the version before */
  readonly parse: (document: FeedDocument, origin: Origin, now: Instant, memory: GuidOwners) => ParsedFeed;
}

/** Fetches a feed if it has changed, and stores the records in it. Records that scroll out of the feed stay. */
export class FeedSource<Origin extends FeedOrigin = FeedOrigin> extends RegisteredSource {
  readonly isRemote = true;
  /** A hash of what the records depend on, apart from the feed. If it changes, the feed is fetched again. */
  readonly #settings: string;
  #warnings: readonly string[] = [];

  constructor(private readonly options: FeedSourceOptions<Origin>) {
    const { type, feeds, repositoryRef, origin, intervalMs } = options;
    const { label } = origin;
    super(`${type} ${label}`, intervalMs, { id: `${type}:${label}`, sourceType: type, label, repositoryRef, feeds });
    this.#settings = hash('sha256', JSON.stringify([FORMAT, origin]), 'base64url');
  }

  async run(context: SourceContext): Promise<RunReport> {
    const { client, origin, parse } = this.options;
    const { clock, signal } = context;
    const at = clock.now();
    const sync = await this.syncIn(context);
    const before = parseState(stateSchema, sync?.state) ?? UNREAD;
    const known = before.settings === this.#settings ? before : null;
    const accept = new URL(origin.address).pathname.endsWith('.atom') ? ATOM_TYPES : FEED_TYPES;
    const request = { url: origin.address, allowPrivate: origin.allowPrivate, headers: { accept }, signal };
    const document = await fetchDocument(client, { ...request, clock, known });
    if (document === null) {
      await this.complete(sync, { at, state: sync?.state ?? null }, context);
      return { stored: 0, unchanged: 0, removed: 0, warnings: this.#warnings };
    }
    const { records, warnings, memory } = parse(document, origin, at, before.memory);
    const { refused, stored, unchanged } = await putInBatches(records, at, context);
    this.#warnings = [...warnings, ...refused];
    await this.complete(sync, { at, state: JSON.stringify({ settings: this.#settings, ...document.validators, memory }) }, context);
    return { stored, unchanged, removed: 0, warnings: this.#warnings };
  }
}

/** A news record for each item of a feed. Throws a `DocumentError` if the document is not a feed. @param now when the feed was fetched */
export function parseNews(document: FeedDocument, origin: FeedOrigin, now: Instant, memory: GuidOwners = {}): ParsedFeed {
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

export function feedSource({ intervalMs, ...origin }: FeedOrigin & { readonly intervalMs: number }, client: OutgoingClient): FeedSource {
  return new FeedSource({ type: 'feed', feeds: ['news'], repositoryRef: NO_REPOSITORY, origin, intervalMs, client, parse: parseNews });
}
