import { hash } from 'node:crypto';
import { type Instant, type News, NO_REPOSITORY, type StoredRecord, type SyncedKind } from '@vitrine/core';
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

/** What all items of one feed have in common. */
export interface Channel {
  readonly origin: FeedOrigin;
  readonly feed: Feed;
  /** The public address of the origin; `null`: it has none. */
  readonly originUrl: string | null;
  /** When the feed was fetched. */
  readonly now: Instant;
}

/** What the items of a feed become. */
export interface ItemKind {
  readonly type: 'feed' | 'video';
  readonly feeds: readonly SyncedKind[];
  /** `null` if the item cannot be shown. */
  readonly recordOf: (item: IdentifiedItem, channel: Channel) => StoredRecord | null;
  /** Why not, after "because they". */
  readonly lacking: string;
}

type Version = Pick<Channel, 'origin' | 'now'> & { readonly memory?: GuidOwners };

/** The records of a feed. Throws a `DocumentError` if the document is not a feed. @param memory that of the version before; the result has that for the next one */
export function parseItems({ recordOf, lacking }: ItemKind, { body, contentType }: FeedDocument, { origin, now, memory: before = {} }: Version) {
  const feed = readFeed(body, contentType);
  const places = placesOf(origin, feed);
  const { items, warnings, owners } = distinctItems(feed, places, before);
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

/** Fetches a feed if it has changed, and stores the records in it. Records that scroll out of the feed stay. */
export class FeedSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #origin: FeedOrigin;
  /** A hash of what the records depend on, apart from the feed. If it changes, the feed is fetched again. */
  readonly #settings: string;
  #warnings: readonly string[] = [];

  constructor(
    private readonly kind: ItemKind,
    { intervalMs, ...origin }: FeedOrigin & { readonly intervalMs: number },
    private readonly client: OutgoingClient,
  ) {
    const { type, feeds } = kind;
    const { label, repositoryRef = NO_REPOSITORY } = origin;
    super(`${type} ${label}`, intervalMs, { id: `${type}:${label}`, sourceType: type, label, repositoryRef, feeds });
    this.#origin = origin;
    this.#settings = hash('sha256', JSON.stringify([FORMAT, origin]), 'base64url');
  }

  async run(context: SourceContext): Promise<RunReport> {
    const origin = this.#origin;
    const { clock, signal } = context;
    const at = clock.now();
    const sync = await this.syncIn(context);
    const before = parseState(stateSchema, sync?.state) ?? UNREAD;
    const known = before.settings === this.#settings ? before : null;
    const accept = new URL(origin.address).pathname.endsWith('.atom') ? ATOM_TYPES : FEED_TYPES;
    const request = { url: origin.address, allowPrivate: origin.allowPrivate, headers: { accept }, signal };
    const document = await fetchDocument(this.client, { ...request, clock, known });
    if (document === null) {
      await this.complete(sync, { at, state: sync?.state ?? null }, context);
      return { stored: 0, unchanged: 0, removed: 0, warnings: this.#warnings };
    }
    const { records, warnings, memory } = parseItems(this.kind, document, { origin, now: at, memory: before.memory });
    const { refused, stored, unchanged } = await putInBatches(records, at, context);
    this.#warnings = [...warnings, ...refused];
    await this.complete(sync, { at, state: JSON.stringify({ settings: this.#settings, ...document.validators, memory }) }, context);
    return { stored, unchanged, removed: 0, warnings: this.#warnings };
  }
}

export const NEWS: ItemKind = { type: 'feed', feeds: ['news'], recordOf: newsOf, lacking: 'have neither a title nor an address' };

function newsOf({ item, identity, address }: IdentifiedItem, { origin, originUrl, now }: Channel): News | null {
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
