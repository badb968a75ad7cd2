import { ARTICLE_FACTS, type Article } from './article.js';
import { BUILD_FACTS, type Build } from './build.js';
import { COMMIT_FACTS, type Commit } from './commit.js';
import type { KindFacts } from './fields.js';
import { FINDING_FACTS, type Finding } from './finding.js';
import { INCIDENT_FACTS, type Incident } from './incident.js';
import { MISSION_FACTS, type Mission } from './mission.js';
import { NEWS_FACTS, type News } from './news.js';
import { RELEASE_FACTS, type Release } from './release.js';
import { VIDEO_FACTS, type Video } from './video.js';

/** The record of each kind that has a list in time order. */
export interface ListedRecords {
  readonly commit: Commit;
  readonly release: Release;
  readonly finding: Finding;
  readonly build: Build;
  readonly mission: Mission;
  readonly news: News;
  readonly article: Article;
  readonly video: Video;
  readonly incident: Incident;
}

export type ListedKind = keyof ListedRecords;
export type RecordOf<Kind extends ListedKind> = ListedRecords[Kind];

/** The records that appear in time-ordered lists. */
export type ListedRecord = ListedRecords[ListedKind];

/** The facts of each listed kind. The types of ports and use cases, and the tables of the adapters, are derived from it. */
export const KINDS = {
  commit: COMMIT_FACTS,
  release: RELEASE_FACTS,
  finding: FINDING_FACTS,
  build: BUILD_FACTS,
  mission: MISSION_FACTS,
  news: NEWS_FACTS,
  article: ARTICLE_FACTS,
  video: VIDEO_FACTS,
  incident: INCIDENT_FACTS,
} as const satisfies { readonly [Kind in ListedKind]: KindFacts<ListedRecords[Kind]> };

type FactsOf<Kind extends ListedKind> = (typeof KINDS)[Kind];
type KindsWith<Facts> = { readonly [Kind in ListedKind]: FactsOf<Kind> extends Facts ? Kind : never }[ListedKind];

/** Kinds whose records always belong to a repository. */
export type OwnedKind = KindsWith<{ readonly ownership: 'always' }>;
/** Kinds whose records belong, or may belong, to a repository. */
export type ScopedKind = KindsWith<{ readonly ownership: 'always' | 'sometimes' }>;
/** Kinds that a `RecordReader` reads. */
export type PlainKind = KindsWith<{ readonly reader: 'record' }>;
/** Kinds of which only the list is read. */
export type OnlyListedKind = KindsWith<{ readonly reader: 'list' }>;
export type PluralOf<Kind extends ListedKind> = FactsOf<Kind>['plural'];
export type FilterOf<Kind extends ListedKind> = FactsOf<Kind>['filters'][number];
export type OwnUrlField = FactsOf<ScopedKind>['ownUrls'][number];

export const LISTED_KINDS: readonly ListedKind[] = Object.keys(KINDS).filter(isListedKind);

export function isListedKind(kind: string): kind is ListedKind {
  return Object.hasOwn(KINDS, kind);
}

export function isOfKind<Kind extends ListedKind>(kind: Kind, record: ListedRecord | null): record is RecordOf<Kind> {
  return record?.kind === kind;
}
