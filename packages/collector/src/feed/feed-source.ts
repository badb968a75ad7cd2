import { NO_REPOSITORY } from '@vitrine/core';
import { DocumentSource } from '../documents/document-source.js';
import type { OutgoingClient } from '../outgoing/outgoing-client.js';
import type { FeedOrigin } from './feed-origin.js';
import { parseNews } from './parse-news.js';

/** The media types of all formats of feeds. */
export const FEED_TYPES =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

export interface FeedSourceOptions extends FeedOrigin {
  readonly intervalMs: number;
}

/** The source for a feed of news. News that scroll out of the feed stay. */
export function feedSource({ intervalMs, ...origin }: FeedSourceOptions, client: OutgoingClient): DocumentSource {
  const { address, allowPrivate, label } = origin;
  return new DocumentSource({
    client,
    address,
    allowPrivate,
    accept: FEED_TYPES,
    intervalMs,
    registration: { id: `feed:${label}`, sourceType: 'feed', label, repositoryRef: NO_REPOSITORY, feeds: ['news'] },
    settings: origin,
    parse: (document, now, memory) => parseNews(document, origin, now, memory),
  });
}
