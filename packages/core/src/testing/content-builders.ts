import type { Article } from '../kinds/article.js';
import type { Image } from '../kinds/image.js';
import { MINUTE } from '../kinds/instant.js';
import type { News } from '../kinds/news.js';
import type { Video } from '../kinds/video.js';
import { addressOf, aProvenance, NOW, REF } from './builders.js';

export function someNews(over: Partial<News> = {}): News {
  return {
    kind: 'news',
    id: 'nws_1',
    source: 'Acme Blog',
    title: 'Widget 2.1 is out',
    summary: 'Stable cursors and feeds.',
    url: 'https://blog.acme.example/widget-2-1',
    publishedAt: NOW - 50 * MINUTE,
    discoveredAt: NOW - 45 * MINUTE,
    listedAt: NOW - 50 * MINUTE,
    provenance: aProvenance({ source: 'Acme Blog', sourceUrl: 'https://blog.acme.example/feed.xml' }),
    ...over,
  };
}

export function anArticle(over: Partial<Article> = {}): Article {
  const url = `${addressOf(over.repositoryRef ?? REF)}/blob/main/CHANGELOG.md`;
  return {
    kind: 'article',
    repositoryRef: REF,
    id: 'widget-2-1-changelog',
    articleKind: 'changelog',
    title: 'Widget 2.1',
    summary: 'Cursor paging is now stable under inserts.',
    body: '## Widget 2.1',
    bodyFormat: 'markdown',
    url,
    language: 'en',
    tags: ['api', 'paging'],
    authorName: null,
    version: '2.1.0',
    changes: [{ type: 'added', text: 'JSON Feed for releases' }],
    publishedAt: NOW - 40 * MINUTE,
    updatedAt: null,
    sourceUrl: url,
    provenance: aProvenance({ sourceUrl: url }),
    ...over,
  };
}

/** A picture of one pixel. */
const PIXEL = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';

export function anImage(over: Partial<Image> = {}): Image {
  return {
    kind: 'image',
    repositoryRef: REF,
    id: '9f1c2d3e4b5a69788796a5b4c3d2e1f0.gif',
    articleId: 'widget-2-1-changelog',
    data: PIXEL,
    publishedAt: NOW - 40 * MINUTE,
    provenance: aProvenance(),
    ...over,
  };
}

export function aVideo(over: Partial<Video> = {}): Video {
  const url = 'https://videos.example/watch/abc123';
  return {
    kind: 'video',
    repositoryRef: '-',
    id: 'vid_1',
    title: 'Widget 2.1 in five minutes',
    description: 'Tour of the release.',
    platform: 'youtube',
    channelName: 'Acme',
    url,
    embedUrl: null,
    thumbnailUrl: null,
    durationSeconds: 301,
    language: 'en',
    tags: ['release'],
    publishedAt: NOW - 35 * MINUTE,
    discoveredAt: NOW - 34 * MINUTE,
    sourceUrl: url,
    provenance: aProvenance({ source: 'Acme channel', sourceUrl: 'https://videos.example/feed' }),
    ...over,
  };
}
