import type { Article, News, Video, WithOptionalRepository } from '@vitrine/core';
import type { View } from '../view.js';
import type { Entry } from './entry-list.js';
import { RepositoryLink } from './repository-link.js';
import { Tag } from './tag.js';
import { Clock } from './time.js';

export function newsEntry(record: News, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('news', record.id),
    title: record.title,
    at: record.listedAt,
    meta: (
      <>
        <Clock at={record.listedAt} />
        <span dir="auto">{record.source}</span>
      </>
    ),
  };
}

export function articleEntry({ record, repository }: WithOptionalRepository<Article>, { links, t }: View): Entry {
  return {
    key: record.id,
    href: links.record('article', record.id),
    title: record.title,
    at: record.publishedAt,
    meta: (
      <>
        <Clock at={record.publishedAt} />
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <Tag>{t.articleKinds[record.articleKind]}</Tag>
        {record.version === null ? null : <Tag>{record.version}</Tag>}
        {record.authorName === null ? null : <span dir="auto">{record.authorName}</span>}
      </>
    ),
  };
}

export function videoEntry({ record, repository }: WithOptionalRepository<Video>, { links, format }: View): Entry {
  return {
    key: record.id,
    href: links.record('video', record.id),
    title: record.title,
    at: record.publishedAt,
    picture: record.thumbnailUrl,
    meta: (
      <>
        <Clock at={record.publishedAt} />
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <span dir="auto">{record.channelName}</span>
        {record.durationSeconds === null ? null : <span>{format.length(record.durationSeconds)}</span>}
      </>
    ),
  };
}
