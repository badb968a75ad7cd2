import type { Instant, ScopeRef, Video } from '@vitrine/core';
import type { DocumentMemory, ParsedDocument } from '../documents/document-source.js';
import { distinctItems, type IdentifiedItem } from '../feed/distinct-items.js';
import type { Feed, FeedItem, FeedText } from '../feed/feed-item.js';
import { baseOf, feedProvenance, publicAddressOf, withoutAddress, type FeedOrigin } from '../feed/feed-origin.js';
import { lineOf, titleOf } from '../feed/item-text.js';
import { readFeed } from '../feed/read-feed.js';
import { cut, MAX_TITLE, publicAuthor, publicLine, publicText } from '../git/public-text.js';
import { idOf } from '../web-text/id-of.js';
import { plainText } from '../web-text/plain-text.js';
import { statedTime } from '../web-text/stated-time.js';
import { platformOf } from './platform-of.js';
import { videoMediaOf, type VideoMedia } from './video-media.js';

const MAX_DESCRIPTION = 5_000;
const MOST_TAGS = 20;
const MAX_TAG = 100;
/** Of at most 35 characters, as RFC 5646 recommends: that of a feed is stored with each of its items. */
const LANGUAGE = /^(?=.{2,35}$)[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

export interface VideoOrigin extends FeedOrigin {
  /** The repository that the videos are about, or `-`. */
  readonly repositoryRef: ScopeRef;
}

/** What all videos of a feed have in common. */
interface Channel {
  readonly origin: VideoOrigin;
  readonly feed: Feed;
  readonly originUrl: string | null;
  readonly now: Instant;
}

/** A record for each video of a feed. Throws a `DocumentError` if the document is not a feed. @param now when the feed was fetched */
export function parseVideos(
  { body, contentType }: { readonly body: Uint8Array; readonly contentType: string },
  origin: VideoOrigin,
  now: Instant,
  memory: DocumentMemory = {},
): ParsedDocument {
  const feed = readFeed(body, contentType);
  const base = baseOf(origin, feed);
  const { items, warnings, owners } = distinctItems(feed.items, base, memory);
  const channel = { origin, feed, originUrl: publicAddressOf(origin, feed), now };
  const records = items.flatMap((item) => videoOf(item, channel) ?? []);
  const hidden = base === null ? items.filter(({ address }) => address === null).length : 0;
  const left = items.length - records.length - hidden;
  const lacking = left === 0 ? [] : [`items that were left out, because they lack a video, an address or a date: ${String(left)}`];
  return { records, warnings: [...warnings, ...withoutAddress(hidden, base), ...lacking], memory: owners };
}

function videoOf({ item, identity, address }: IdentifiedItem, channel: Channel): Video | null {
  const media = videoMediaOf(item);
  const publishedAt = statedTime(item.published, channel.now);
  if (media === null || address === null || publishedAt === null) return null;
  const { origin, originUrl, now } = channel;
  return {
    kind: 'video',
    repositoryRef: origin.repositoryRef,
    id: idOf(origin.label, identity),
    ...describedBy(item, media, address, channel),
    url: address,
    embedUrl: media.embedUrl,
    thumbnailUrl: media.thumbnailUrl,
    durationSeconds: media.durationSeconds,
    publishedAt,
    discoveredAt: now,
    sourceUrl: address,
    provenance: feedProvenance(origin, originUrl ?? address, now, publishedAt),
  };
}

function describedBy(item: FeedItem, media: VideoMedia, address: string, { origin, feed }: Channel) {
  return {
    title: titleOf(item) || lineOf(markup(media.title), MAX_TITLE) || address,
    description: descriptionOf(item, media),
    platform: platformOf(item, feed, address),
    channelName: publicAuthor(item.author ?? '', MAX_TITLE) || lineOf(feed.title, MAX_TITLE) || origin.label,
    language: [item.language, feed.language].find((language) => LANGUAGE.test(language ?? '')) ?? null,
    tags: tagsOf([...item.tags, ...media.keywords]),
  };
}

/** Descriptions of videos are plain text with line breaks, except in feeds that have only the text of the item. */
function descriptionOf({ summary }: FeedItem, { description }: VideoMedia): string {
  const text = description ?? (summary?.isMarkup === true ? plainText(summary.value) : summary?.value) ?? '';
  return cut(publicText(text, MAX_DESCRIPTION).trim(), MAX_DESCRIPTION);
}

function tagsOf(tags: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(tags.map((tag = '') => publicLine(tag, MAX_TAG)).filter((tag) => tag !== ''))].slice(0, MOST_TAGS);
}

function markup(value: string | null): FeedText | undefined {
  return value === null ? undefined : { value, isMarkup: true };
}
