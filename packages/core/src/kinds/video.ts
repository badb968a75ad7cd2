import { leftOut, list, nullable, seconds, someRepository, text, time, type KindFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

const fields = {
  repositoryRef: someRepository,
  id: text('id', 'Stable public id.', 'vid_8c3p0z'),
  title: text('title', 'Title, as published.', 'Widget 2.1 in five minutes'),
  description: leftOut('blank', text('body', 'Description, as published.', 'Tour of the release.')),
  platform: text('word', 'Where it is published.', 'youtube'),
  channelName: text('author', 'Channel that published it.', 'Acme'),
  url: text('url', 'Public address of the video.', 'https://www.youtube.com/watch?v=abc123'),
  embedUrl: nullable(text('url', 'Address for embedding.', 'https://www.youtube-nocookie.com/embed/abc123')),
  thumbnailUrl: nullable(text('url', 'Address of a preview picture.', 'https://i.ytimg.com/vi/abc123/hqdefault.jpg')),
  durationSeconds: nullable(seconds('Length, in seconds.', 301)),
  language: nullable(text('word', 'Language, as a BCP 47 tag.', 'en')),
  tags: list('tags', text('line', 'One tag.', 'release'), 'Tags.'),
  publishedAt: time('When it was published.', '2026-11-18T12:00:00.000Z'),
  discoveredAt: leftOut('now', time('When the service first saw it.', '2026-11-18T12:20:09.000Z')),
  sourceUrl: text('url', 'Public address of its source.', 'https://www.youtube.com/watch?v=abc123'),
  provenance: origin,
};

export interface Video extends WithFields<typeof fields> {
  readonly kind: 'video';
}

export const VIDEO_FACTS = {
  plural: 'videos',
  ownership: 'sometimes',
  reader: 'record',
  times: ['publishedAt'],
  filters: { source: 'provenance.source' },
  searched: { title: 'title', description: 'text', channelName: 'text' },
  sent: [
    'id',
    'title',
    'description',
    'platform',
    'channelName',
    'url',
    'embedUrl',
    'thumbnailUrl',
    'durationSeconds',
    'language',
    'tags',
    'publishedAt',
    'discoveredAt',
    'repository',
    'sourceUrl',
    'provenance',
    'href',
  ],
  fields,
} as const satisfies KindFacts<Video>;
