import { ARTICLE_FACTS, type Article } from './article.js';
import { BUILD_FACTS, type Build } from './build.js';
import { COMMIT_FACTS, type Commit } from './commit.js';
import { CHECK_FACTS, type Check } from './check.js';
import type { AnyFields, KindFacts } from './fields.js';
import { REPOSITORY_FACTS, type RepositoryRecord } from './repository.js';
import { SERVICE_FACTS, type Service } from './service.js';
import { SYNC_FACTS, type Sync } from './sync.js';
import { IMAGE_FACTS, type Image } from './image.js';
import { FINDING_FACTS, type Finding } from './finding.js';
import { INCIDENT_FACTS, type Incident } from './incident.js';
import { MISSION_FACTS, type Mission } from './mission.js';
import { NEWS_FACTS, type News } from './news.js';
import { RELEASE_FACTS, type Release } from './release.js';
import { VIDEO_FACTS, type Video } from './video.js';

export interface ListedRecords {
  readonly commit: Commit;
  readonly release: Release;
  readonly finding: Finding;
  readonly build: Build;
  readonly mission: Mission;
  readonly news: News;
  readonly article: Article;
  readonly image: Image;
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
  image: IMAGE_FACTS,
  video: VIDEO_FACTS,
  incident: INCIDENT_FACTS,
} as const satisfies { readonly [Kind in ListedKind]: KindFacts<ListedRecords[Kind]> };

/** The records of every kind whose fields are described in a table. The counts of a day are not: each store has a form of its own for them. */
export interface DescribedRecords extends ListedRecords {
  readonly repository: RepositoryRecord;
  readonly service: Service;
  readonly check: Check;
  readonly sync: Sync;
}

/** What code for any kind needs of its facts. */
export interface AnyFacts {
  readonly fields: AnyFields;
  readonly searched: Readonly<Record<string, 'title' | 'text' | undefined>>;
  readonly sent: readonly string[];
}

/** What is known of the records of each kind, for code that does not depend on the kind. */
export const FACTS: Readonly<Record<keyof DescribedRecords, AnyFacts>> = {
  repository: REPOSITORY_FACTS,
  service: SERVICE_FACTS,
  check: CHECK_FACTS,
  sync: SYNC_FACTS,
  ...KINDS,
};

/** A value for each kind, made from its facts. */
export function byKind<Value>(make: (facts: AnyFacts, kind: keyof DescribedRecords) => Value): Readonly<Record<keyof DescribedRecords, Value>> {
  const kinds = Object.keys(FACTS) as (keyof DescribedRecords)[];
  return Object.fromEntries(kinds.map((kind) => [kind, make(FACTS[kind], kind)])) as Record<keyof DescribedRecords, Value>;
}

/** The names of the fields that meet a condition. */
export function fieldsWhere({ fields }: AnyFacts, isOne: (field: AnyFields[string]) => boolean): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (isOne(field) ? [name] : []));
}

type FactsOf<Kind extends ListedKind> = (typeof KINDS)[Kind];
type KindsWith<Facts> = { readonly [Kind in ListedKind]: FactsOf<Kind> extends Facts ? Kind : never }[ListedKind];

/** Kinds whose records always belong to a repository. */
export type OwnedKind = KindsWith<{ readonly ownership: 'always' }>;
/** Kinds whose records belong, or may belong, to a repository. */
export type ScopedKind = KindsWith<{ readonly ownership: 'always' | 'sometimes' }>;
/** Kinds whose records are shown on their own. */
export type ShownKind = Exclude<ScopedKind, 'image'>;
/** Kinds that a `RecordReader` reads. */
export type ReadKind = KindsWith<{ readonly reader: 'record' }>;
/** Kinds of which only the list is read. */
export type OnlyListedKind = KindsWith<{ readonly reader: 'list' }>;
export type PluralOf<Kind extends ListedKind> = FactsOf<Kind>['plural'];
/** The names of each kind's filters. With `as`, the compiler can look up a kind that it does not know yet. */
type Filters = { readonly [Kind in ListedKind as `${Kind}`]: keyof FactsOf<Kind>['filters'] & string };
export type FilterOf<Kind extends ListedKind> = Filters[Kind];

/** The names of what the API shows of a kind. */
export type SentOf<Kind extends ListedKind | 'repository'> = (Kind extends ListedKind ? FactsOf<Kind> : typeof REPOSITORY_FACTS)['sent'][number];

export const LISTED_KINDS = Object.keys(KINDS) as readonly ListedKind[];
/** All kinds but checks and daily counts, in the order that an import needs: repositories first. */
export const PLAIN_KINDS = ['repository', 'service', ...LISTED_KINDS, 'sync'] as const;

export function isOfKind<Kind extends ListedKind>(kind: Kind, record: ListedRecord | null): record is RecordOf<Kind> {
  return record?.kind === kind;
}
