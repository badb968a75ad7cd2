import { ARTICLE_CHANGE_TYPES, ARTICLE_KINDS, BODY_FORMATS, type Article, type News, type Video } from '@vitrine/core';
import { object } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, publicId, scopeRef } from './shared-fields.js';
import { instant, list, nullable, number, oneOf, optional, text } from './values.js';

export const newsDocument = documentSpec<News>(
  'news',
  object({
    id: publicId,
    source: text,
    title: text,
    summary: text,
    url: text,
    publishedAt: optional(instant),
    discoveredAt: instant,
    listedAt: instant,
    provenance,
  }),
);

export const articleDocument = documentSpec<Article>(
  'article',
  object({
    repositoryRef: scopeRef,
    id: publicId,
    articleKind: oneOf(ARTICLE_KINDS),
    title: text,
    summary: text,
    body: text,
    bodyFormat: oneOf(BODY_FORMATS),
    url: text,
    language: text,
    tags: list(text),
    authorName: nullable(text),
    version: nullable(text),
    changes: list(object({ type: oneOf(ARTICLE_CHANGE_TYPES), text })),
    publishedAt: instant,
    updatedAt: nullable(instant),
    sourceUrl: text,
    provenance,
  }),
);

export const videoDocument = documentSpec<Video>(
  'video',
  object({
    repositoryRef: scopeRef,
    id: publicId,
    title: text,
    description: text,
    platform: text,
    channelName: text,
    url: text,
    embedUrl: nullable(text),
    thumbnailUrl: nullable(text),
    durationSeconds: nullable(number(0, Number.MAX_SAFE_INTEGER)),
    language: nullable(text),
    tags: list(text),
    publishedAt: instant,
    discoveredAt: instant,
    sourceUrl: text,
    provenance,
  }),
);
