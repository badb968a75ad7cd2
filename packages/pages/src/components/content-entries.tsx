import type { Article, News, Video, WithOptionalRepository } from '@vitrine/core';
import type { View } from '../view.js';
import type { Entry } from './entry-list.js';
import { RepositoryLink } from './repository-link.js';
import { Tag } from './tag.js';
import { Time } from './time.js';

export function newsEntry(record: News, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('news', record.id),
    title: record.title,
    at: record.listedAt,
    meta: (
      <>
        <span dir="auto">{record.source}</span>
        <Time at={record.listedAt} />
      </>
    ),
  };
}

export function articleEntry({ record, repository }: WithOptionalRepository<Article>, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('article', record.id),
    title: record.title,
    at: record.publishedAt,
    meta: (
      <>
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <Tag>{record.articleKind}</Tag>
        {record.version === null ? null : <Tag>{record.version}</Tag>}
        {record.authorName === null ? null : <span dir="auto">{record.authorName}</span>}
        <Time at={record.publishedAt} />
      </>
    ),
  };
}

export function videoEntry({ record, repository }: WithOptionalRepository<Video>, { links }: View): Entry {
  return {
    key: record.id,
    href: links.record('video', record.id),
    title: record.title,
    at: record.publishedAt,
    meta: (
      <>
        {repository === null ? null : <RepositoryLink repository={repository} />}
        <span dir="auto">{record.channelName}</span>
        <Tag>{record.platform}</Tag>
        <Time at={record.publishedAt} />
      </>
    ),
  };
}
