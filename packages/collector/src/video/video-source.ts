import { DocumentSource } from '../documents/document-source.js';
import { FEED_TYPES } from '../feed/feed-source.js';
import type { OutgoingClient } from '../outgoing/outgoing-client.js';
import { parseVideos, type VideoOrigin } from './parse-videos.js';

export interface VideoSourceOptions extends VideoOrigin {
  readonly intervalMs: number;
}

/** The source for the videos of a channel: YouTube, PeerTube, or any feed with Media RSS. Videos that scroll out of the feed stay. */
export function videoSource({ intervalMs, ...origin }: VideoSourceOptions, client: OutgoingClient): DocumentSource {
  const { address, allowPrivate, label, repositoryRef } = origin;
  return new DocumentSource({
    client,
    address,
    allowPrivate,
    accept: FEED_TYPES,
    intervalMs,
    registration: { id: `video:${label}`, sourceType: 'video', label, repositoryRef, feeds: ['video'] },
    settings: origin,
    parse: (document, now, memory) => parseVideos(document, origin, now, memory),
  });
}
