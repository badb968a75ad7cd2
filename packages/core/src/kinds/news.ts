import { fixed, leftOut, ifKnown, text, time, type KindFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

const fields = {
  id: text('id', 'Stable public id.', 'nws_4d1x8c'),
  /** Configured label of the feed. */
  source: text('label', 'Configured label of the feed.', 'Acme Blog'),
  title: text('title', 'Title, as published.', 'Widget 2.1 is out'),
  summary: leftOut('blank', text('body', 'Summary, as published.', 'Stable cursors and feeds.')),
  url: text('url', 'Public address of the text.', 'https://blog.acme.example/widget-2-1'),
  /** The time that the publisher states, if any. */
  publishedAt: ifKnown(time('The publisher’s time; left out when not supplied.', '2026-11-18T10:00:00.000Z')),
  discoveredAt: fixed(leftOut('now', time('When the service first saw the record.', '2026-11-18T10:07:31.402Z'))),
  /** `publishedAt`, or `discoveredAt` if that is absent. It never changes once stored, because lists are sorted by it. */
  listedAt: fixed(leftOut('derived', time('`publishedAt`, or else `discoveredAt`.', '2026-11-18T10:00:00.000Z'))),
  provenance: origin,
};

/** A record of a public feed. It belongs to no repository. */
export interface News extends WithFields<typeof fields> {
  readonly kind: 'news';
}

export const NEWS_FACTS = {
  plural: 'news',
  ownership: 'never',
  reader: 'own',
  times: ['listedAt'],
  filters: { source: 'source' },
  searched: { title: 'title', summary: 'text', source: 'text' },
  sent: ['source', 'title', 'summary', 'url', 'publishedAt', 'discoveredAt', 'provenance', 'id', 'href'],
  fields,
} as const satisfies KindFacts<News>;
