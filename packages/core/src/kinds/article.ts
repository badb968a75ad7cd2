import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { ScopeRef } from './repository-name.js';

export const ARTICLE_KINDS = ['article', 'help', 'changelog'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

export const BODY_FORMATS = ['markdown', 'text', 'html'] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export const ARTICLE_CHANGE_TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const;

export interface ArticleChange {
  readonly type: (typeof ARTICLE_CHANGE_TYPES)[number];
  readonly text: string;
}

export interface Article {
  readonly kind: 'article';
  readonly repositoryRef: ScopeRef;
  readonly id: string;
  /** The API calls this field and its filter `kind`. */
  readonly articleKind: ArticleKind;
  readonly title: string;
  readonly summary: string;
  readonly body: string;
  readonly bodyFormat: BodyFormat;
  readonly url: string;
  readonly language: string;
  readonly tags: readonly string[];
  readonly authorName: string | null;
  readonly version: string | null;
  readonly changes: readonly ArticleChange[];
  readonly publishedAt: Instant;
  readonly updatedAt: Instant | null;
  readonly sourceUrl: string;
  readonly provenance: Provenance;
}

export const ARTICLE_FACTS = {
  plural: 'articles',
  ownership: 'sometimes',
  reader: 'record',
  filters: ['articleKind', 'tag', 'language'],
  ownUrls: ['url', 'sourceUrl'],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Article>;
