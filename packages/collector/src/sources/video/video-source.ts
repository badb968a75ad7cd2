import { type Feed, type FeedItem, lineOf, markup, titleOf } from '../feed/feed-formats.js';
import type { MediaNs } from 'feedsmith';
import { canonicalAddress, statedTime } from '../web-text/web-address.js';
import { NO_REPOSITORY, type Video } from '@vitrine/core';
import { feedProvenance, type IdentifiedItem } from '../feed/distinct-items.js';
import { MAX_TITLE, publicAuthor, publicBody, publicLine } from '../git/public-text.js';
import { idOf, plainText } from '../web-text/plain-text.js';
import type { Channel, ItemKind } from '../feed/feed-source.js';

const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:youtube\.com|youtu\.be)$/, 'youtube'],
  [/(?:^|\.)vimeo\.com$/, 'vimeo'],
];
/** Older versions of PeerTube name the library that writes their feeds. */
const PEERTUBE = /peertube|toraif/i;

function platformOf({ youtubeId }: FeedItem, { generator }: Feed, address: string): string {
  if (youtubeId !== undefined) return 'youtube';
  if (PEERTUBE.test(generator ?? '')) return 'peertube';
  const { hostname } = new URL(address);
  return HOSTS.find(([pattern]) => pattern.test(hostname))?.[1] ?? 'web';
}

const YOUTUBE_ID = /^[\w-]{6,20}$/;
const VIDEO_TYPES = /^(?:video\/|application\/(?:x-mpegurl|vnd\.apple\.mpegurl|x-shockwave-flash|dash\+xml))/i;
const MAX_SECONDS = 7 * 24 * 3_600;

/** `null` if the item has no video, but for example only images. */
function videoMediaOf(item: FeedItem) {
  const parts = partsOf(item.media);
  const contents = parts.flatMap(({ contents: own = [] }) => own);
  const embed = embedOf(item, parts);
  if (embed === null && !hasVideoFile(item, contents)) return null;
  const all = [...parts, ...contents];
  const first = <Value>(pick: (part: MediaNs.Content) => Value | undefined): Value | null =>
    all.map(pick).find((value) => value !== undefined) ?? null;
  return {
    title: first(({ title }) => title?.value),
    description: first(({ description }) => description?.value),
    embedUrl: embed === '' ? null : embed,
    thumbnailUrl: addressIn(all.flatMap(({ thumbnails = [] }) => thumbnails.map(({ url }) => url))),
    durationSeconds: secondsOf(item.durationSeconds ?? first(({ duration }) => duration)),
    keywords: all.flatMap(({ keywords = [] }) => keywords),
  };
}

type VideoMedia = NonNullable<ReturnType<typeof videoMediaOf>>;

function partsOf(media: MediaNs.ItemOrFeed | undefined): readonly MediaNs.Group[] {
  return media === undefined ? [] : [...(media.groups ?? []), media];
}

/** The address of the player; `''` if the item has one without a usable address; `null` if it has none. */
function embedOf({ youtubeId }: FeedItem, parts: readonly MediaNs.Group[]): string | null {
  if (youtubeId !== undefined) return YOUTUBE_ID.test(youtubeId) ? `https://www.youtube-nocookie.com/embed/${youtubeId}` : '';
  const players = parts.flatMap(({ embed, player }) => [embed?.url, player?.url]).filter((url) => url !== undefined);
  return players.length === 0 ? null : (addressIn(players) ?? '');
}

function hasVideoFile({ attachedTypes }: FeedItem, contents: readonly MediaNs.Content[]): boolean {
  return (
    attachedTypes.some((type = '') => VIDEO_TYPES.test(type)) ||
    contents.some(({ type = '', medium }) => medium === 'video' || VIDEO_TYPES.test(type))
  );
}

function addressIn(candidates: readonly (string | undefined)[]): string | null {
  return candidates.map((candidate) => canonicalAddress(candidate, null)).find((address) => address !== null) ?? null;
}

function secondsOf(seconds: number | null): number | null {
  return seconds !== null && seconds > 0 && seconds <= MAX_SECONDS ? Math.round(seconds) : null;
}

const MAX_DESCRIPTION = 5_000;
const MOST_TAGS = 20;
const MAX_TAG = 100;
/** Of at most 35 characters, as RFC 5646 recommends: that of a feed is stored with each of its items. */
const LANGUAGE = /^(?=.{2,35}$)[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** The videos of a channel: YouTube, PeerTube, or any feed with Media RSS. */
export const VIDEOS: ItemKind = { type: 'video', feeds: ['video'], recordOf: videoOf, lacking: 'lack a video, an address or a date' };

function videoOf({ item, identity, address }: IdentifiedItem, channel: Channel): Video | null {
  const media = videoMediaOf(item);
  const publishedAt = statedTime(item.published, channel.now);
  if (media === null || address === null || publishedAt === null) return null;
  const { origin, originUrl, now } = channel;
  return {
    kind: 'video',
    repositoryRef: origin.repositoryRef ?? NO_REPOSITORY,
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
  return publicBody(text, MAX_DESCRIPTION);
}

function tagsOf(tags: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(tags.map((tag = '') => publicLine(tag, MAX_TAG)).filter((tag) => tag !== ''))].slice(0, MOST_TAGS);
}
