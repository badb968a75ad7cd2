import type { MediaNs } from 'feedsmith';
import type { FeedItem } from '../feed/feed-item.js';
import { canonicalAddress } from '../web-text/web-address.js';

const YOUTUBE_ID = /^[\w-]{6,20}$/;
const VIDEO_TYPES = /^(?:video\/|application\/(?:x-mpegurl|vnd\.apple\.mpegurl|x-shockwave-flash|dash\+xml))/i;
const MAX_SECONDS = 7 * 24 * 3_600;

/** What an item of a Media RSS feed says about its video. */
export interface VideoMedia {
  readonly title: string | null;
  readonly description: string | null;
  readonly embedUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly durationSeconds: number | null;
  readonly keywords: readonly string[];
}

/** `null` if the item has no video, but for example only images. */
export function videoMediaOf(item: FeedItem): VideoMedia | null {
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

/** The elements of an item may stand in a group, or in the item itself. */
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
