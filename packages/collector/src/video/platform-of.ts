import type { Feed, FeedItem } from '../feed/feed-item.js';

const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:youtube\.com|youtu\.be)$/, 'youtube'],
  [/(?:^|\.)vimeo\.com$/, 'vimeo'],
];
/** Older versions of PeerTube name the library that writes their feeds. */
const PEERTUBE = /peertube|toraif/i;

/** The platform of a video: `youtube`, `vimeo`, `peertube`, or `web` for any other site. */
export function platformOf({ youtubeId }: FeedItem, { generator }: Feed, address: string): string {
  if (youtubeId !== undefined) return 'youtube';
  if (PEERTUBE.test(generator ?? '')) return 'peertube';
  const { hostname } = new URL(address);
  return HOSTS.find(([pattern]) => pattern.test(hostname))?.[1] ?? 'web';
}
