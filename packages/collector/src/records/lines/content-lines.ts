import { object } from '@vitrine/config/internal';
import { ARTICLE_CHANGE_TYPES, ARTICLE_KINDS, BODY_FORMATS } from '@vitrine/core';
import { z } from 'zod';
import { inScope, lineReader, mayBeScoped, optionalScopeOfLine, provenanceOf } from '../line-reader.js';
import { body, count, few, instant, line, oneOf, provenance, publicIdText, shortText, someText, texts, title, url, word } from '../record-fields.js';

export const newsLine = lineReader(
  object('a news record', {
    kind: z.literal('news'),
    id: publicIdText,
    source: someText,
    title,
    summary: body.default(''),
    url,
    publishedAt: instant.exactOptional(),
    discoveredAt: instant.nullable().default(null),
    listedAt: instant.nullable().default(null),
    provenance,
  }),
  (fields, { now }) => {
    const discoveredAt = fields.discoveredAt ?? now;
    return {
      ...fields,
      discoveredAt,
      listedAt: fields.listedAt ?? fields.publishedAt ?? discoveredAt,
      provenance: provenanceOf(fields.provenance, now),
    };
  },
);

export const articleLine = lineReader(
  object('an article', {
    kind: z.literal('article'),
    ...mayBeScoped,
    id: publicIdText,
    articleKind: oneOf(ARTICLE_KINDS),
    title,
    summary: body.default(''),
    body,
    bodyFormat: oneOf(BODY_FORMATS),
    url,
    language: word,
    tags: texts('tags', line),
    authorName: line.nullable().default(null),
    version: shortText.nullable().default(null),
    changes: few('changes', object('an object with type and text', { type: oneOf(ARTICLE_CHANGE_TYPES), text: body })),
    publishedAt: instant,
    updatedAt: instant.nullable().default(null),
    sourceUrl: url,
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(optionalScopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);

export const videoLine = lineReader(
  object('a video', {
    kind: z.literal('video'),
    ...mayBeScoped,
    id: publicIdText,
    title,
    description: body.default(''),
    platform: word,
    channelName: line,
    url,
    embedUrl: url.nullable().default(null),
    thumbnailUrl: url.nullable().default(null),
    durationSeconds: count.nullable().default(null),
    language: word.nullable().default(null),
    tags: texts('tags', line),
    publishedAt: instant,
    discoveredAt: instant.nullable().default(null),
    sourceUrl: url,
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(optionalScopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      discoveredAt: fields.discoveredAt ?? context.now,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);
