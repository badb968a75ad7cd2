import { ARTICLE_CHANGE_TYPES, ARTICLE_KINDS, BODY_FORMATS } from '@vitrine/core';
import { optionalRepository, repositorySchema } from './development.js';
import { closed, instant, list, named, nullable, optional, record, ref, text, url } from './schema.js';
import { ownPath, provenanceSchema } from './shared.js';

const provenance = ref(provenanceSchema, 'Where the record comes from.');
const CHANGELOG_URL = 'https://github.com/acme/widget/blob/main/CHANGELOG.md';

export const newsSchema = named(
  'News',
  'A record of a public feed.',
  {
    source: text('Configured label of the feed.', 'Acme Blog'),
    title: text('Title, as published.', 'Widget 2.1 is out'),
    summary: text('Summary, as published.', 'Stable cursors and feeds.'),
    url: url('Public address of the text.', 'https://blog.acme.example/widget-2-1'),
    publishedAt: optional(instant('The publisher’s time; left out when not supplied.', '2026-11-18T10:00:00.000Z')),
    discoveredAt: instant('When the service first saw the record.', '2026-11-18T10:07:31.402Z'),
    provenance,
    id: text('Stable public id.', 'nws_4d1x8c'),
    href: ownPath('/api/v1/news/nws_4d1x8c'),
  },
  [provenanceSchema],
);

export const articleSchema = named(
  'Article',
  'An article, a help page or a changelog.',
  {
    id: text('Stable public id.', 'widget-2-1-changelog'),
    kind: closed('The kind of text.', ARTICLE_KINDS, 'changelog'),
    title: text('Title.', 'Widget 2.1'),
    summary: text('Summary.', 'Cursor paging is now stable under inserts.'),
    body: text('The whole text, in `bodyFormat`.', '## Widget 2.1\n\n### Added\n- JSON Feed for releases'),
    bodyFormat: closed('How `body` is written. HTML is as its author wrote it: sanitise it before showing it.', BODY_FORMATS, 'markdown'),
    url: url('Public address of the text.', CHANGELOG_URL),
    language: text('Language, as a BCP 47 tag.', 'en'),
    tags: list('Tags.', text('One tag.', 'api')),
    authorName: nullable(text('Name of the author.', 'Ada Example'), null),
    version: nullable(text('Version that the text describes.', '2.1.0')),
    changes: list(
      'What changed, entry by entry; for changelogs.',
      record(
        { type: closed('Kind of the change.', ARTICLE_CHANGE_TYPES, 'added'), text: text('The change.', 'JSON Feed for releases') },
        'One change.',
      ),
    ),
    publishedAt: instant('When it was published.', '2026-11-18T09:30:00.000Z'),
    updatedAt: nullable(instant('When it was last changed.', '2026-11-19T09:30:00.000Z'), null),
    repository: optionalRepository,
    sourceUrl: url('Public address of its source.', CHANGELOG_URL),
    provenance,
    href: ownPath('/api/v1/articles/widget-2-1-changelog'),
  },
  [repositorySchema, provenanceSchema],
);

export const videoSchema = named(
  'Video',
  'A public video.',
  {
    id: text('Stable public id.', 'vid_8c3p0z'),
    title: text('Title, as published.', 'Widget 2.1 in five minutes'),
    description: text('Description, as published.', 'Tour of the release.'),
    platform: text('Where it is published.', 'youtube'),
    channelName: text('Channel that published it.', 'Acme'),
    url: url('Public address of the video.', 'https://www.youtube.com/watch?v=abc123'),
    embedUrl: nullable(url('Address for embedding.', 'https://www.youtube-nocookie.com/embed/abc123')),
    thumbnailUrl: nullable(url('Address of a preview picture.', 'https://i.ytimg.com/vi/abc123/hqdefault.jpg')),
    durationSeconds: nullable({ schema: { type: 'number', description: 'Length, in seconds.', minimum: 0 }, example: 301 }),
    language: nullable(text('Language, as a BCP 47 tag.', 'en')),
    tags: list('Tags.', text('One tag.', 'release')),
    publishedAt: instant('When it was published.', '2026-11-18T12:00:00.000Z'),
    discoveredAt: instant('When the service first saw it.', '2026-11-18T12:20:09.000Z'),
    repository: { ...optionalRepository, example: null },
    sourceUrl: url('Public address of its source.', 'https://www.youtube.com/watch?v=abc123'),
    provenance,
    href: ownPath('/api/v1/videos/vid_8c3p0z'),
  },
  [repositorySchema, provenanceSchema],
);
