import type { Article, News, Video, WithOptionalRepository } from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentOptionalRepository } from './repository.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export function presentNews(record: News, links: Links) {
  return {
    source: record.source,
    title: record.title,
    summary: record.summary,
    url: record.url,
    ...(record.publishedAt === undefined ? {} : { publishedAt: presentInstant(record.publishedAt) }),
    discoveredAt: presentInstant(record.discoveredAt),
    provenance: presentProvenance(record.provenance),
    id: record.id,
    href: links.record('news', record.id),
  };
}

function presentArticle({ record, repository }: WithOptionalRepository<Article>, links: Links) {
  return {
    id: record.id,
    kind: record.articleKind,
    title: record.title,
    summary: record.summary,
    body: record.body,
    bodyFormat: record.bodyFormat,
    url: record.url,
    language: record.language,
    tags: record.tags,
    authorName: record.authorName,
    version: record.version,
    changes: record.changes.map(({ type, text }) => ({ type, text })),
    publishedAt: presentInstant(record.publishedAt),
    updatedAt: presentOptionalInstant(record.updatedAt),
    repository: presentOptionalRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    href: links.record('article', record.id),
  };
}

function presentVideo({ record, repository }: WithOptionalRepository<Video>, links: Links) {
  return {
    id: record.id,
    title: record.title,
    description: record.description,
    platform: record.platform,
    channelName: record.channelName,
    url: record.url,
    embedUrl: record.embedUrl,
    thumbnailUrl: record.thumbnailUrl,
    durationSeconds: record.durationSeconds,
    language: record.language,
    tags: record.tags,
    publishedAt: presentInstant(record.publishedAt),
    discoveredAt: presentInstant(record.discoveredAt),
    repository: presentOptionalRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    href: links.record('video', record.id),
  };
}

/** The presenters of this topic, by kind. */
export function contentPresenters(links: Links) {
  return {
    news: (record: News) => presentNews(record, links),
    article: (view: WithOptionalRepository<Article>) => presentArticle(view, links),
    video: (view: WithOptionalRepository<Video>) => presentVideo(view, links),
  };
}
