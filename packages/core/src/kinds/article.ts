import { called, choice, leftOut, list, nullable, part, someRepository, text, time } from './fields.js';
import type { KindFacts, Field, WithFields } from './fields.js';
import { origin } from './provenance.js';

export const ARTICLE_KINDS = ['article', 'help', 'changelog'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

export const BODY_FORMATS = ['markdown', 'text', 'html'] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export const ARTICLE_CHANGE_TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;

/** The id of a heading on the page of an article. No text can take the id of another part of the page. @param slug as GitHub or the author makes it, in any letter case */
export function headingId(slug: string): string {
  return `text-${slug.toLowerCase()}`;
}

const CHANGELOG_URL = 'https://github.com/acme/widget/blob/main/CHANGELOG.md';

const changeFields = {
  type: choice(ARTICLE_CHANGE_TYPES, 'Kind of the change.', 'added'),
  text: text('body', 'The change.', 'JSON Feed for releases'),
};
export interface ArticleChange extends WithFields<typeof changeFields> {}
const change: Field<ArticleChange> = part('type and text', changeFields, 'One change.');

const fields = {
  repositoryRef: someRepository,
  id: text('id', 'Stable public id.', 'widget-2-1-changelog'),
  /** The API calls this field and its filter `kind`. */
  articleKind: called('kind', choice(ARTICLE_KINDS, 'The kind of text.', 'changelog')),
  title: text('title', 'Title.', 'Widget 2.1'),
  summary: leftOut('blank', text('body', 'Summary.', 'Cursor paging is now stable under inserts.')),
  body: text('body', 'The whole text, in `bodyFormat`.', '## Widget 2.1\n\n### Added\n- JSON Feed for releases'),
  bodyFormat: choice(BODY_FORMATS, 'How `body` is written. HTML is as its author wrote it: sanitise it before showing it.', 'markdown'),
  url: text('url', 'Public address of the text.', CHANGELOG_URL),
  language: text('word', 'Language, as a BCP 47 tag.', 'en'),
  tags: list('tags', text('line', 'One tag.', 'api'), 'Tags.'),
  authorName: nullable(text('author', 'Name of the author.', 'Ada Example'), null),
  version: nullable(text('short', 'Version that the text describes.', '2.1.0')),
  changes: list('changes', change, 'What changed, entry by entry; for changelogs.'),
  publishedAt: time('When it was published.', '2026-11-18T09:30:00.000Z'),
  updatedAt: nullable(time('When it was last changed.', '2026-11-19T09:30:00.000Z'), null),
  sourceUrl: text('url', 'Public address of its source.', CHANGELOG_URL),
  provenance: origin,
};

export interface Article extends WithFields<typeof fields> {
  readonly kind: 'article';
}

export const ARTICLE_FACTS = {
  plural: 'articles',
  ownership: 'sometimes',
  reader: 'record',
  times: ['publishedAt'],
  filters: { tag: 'tags', articleKind: 'articleKind', language: 'language' },
  searched: { title: 'title', summary: 'text', body: 'text', tags: 'text', version: 'text', 'changes.text': 'text', 'repository.fullName': 'text' },
  sent: [
    'id',
    'articleKind',
    'title',
    'summary',
    'body',
    'bodyFormat',
    'url',
    'language',
    'tags',
    'authorName',
    'version',
    'changes',
    'publishedAt',
    'updatedAt',
    'repository',
    'sourceUrl',
    'provenance',
    'href',
  ],
  fields,
} as const satisfies KindFacts<Article>;
