import type {
  ActivityDay,
  Check,
  Instant,
  Overview,
  PeriodStatus,
  Repository,
  RepositoryHub,
  SearchResult,
  ServiceStatus,
  SourceStatus,
  StatusOverview,
} from '@vitrine/core';
import { activityDaySchema } from './activity.js';
import { buildSchema } from './builds.js';
import { hubSchema } from './hub.js';
import type { ItemOf, ViewedKind } from './kind-parts.js';
import type { ItemJson } from './kind-view.js';
import { observedOverview, overviewSchema } from './overview.js';
import { repositorySchema } from './repositories.js';
import { searchResultSchema } from './search.js';
import { checkSchema, dayStatusSchema, hourStatusSchema } from './services.js';
import type { Links, NamedSchema } from './shared/schema.js';
import { sourceSchema } from './sources.js';
import { observed, serviceStatusSchema, statusOverviewSchema } from './status.js';
import { kindViews } from './table.js';

type KindPresenters = { readonly [Kind in ViewedKind]: (item: ItemOf<Kind>) => ItemJson<Kind> };

/** Turns what use cases return into the JSON of the API, field by field. */
export type Presenters = ReturnType<typeof createPresenters>;

export function createPresenters(links: Links) {
  const of =
    <Item extends object>() =>
    <Json extends object>({ write }: NamedSchema<Json>) =>
    (item: Item) =>
      write(item, links);
  const ofKinds = Object.fromEntries(kindViews.map(({ kind, schema }) => [kind, of<object>()(schema as NamedSchema)])) as unknown as KindPresenters;
  return {
    ...ofKinds,
    repository: of<Repository>()(repositorySchema),
    hub: of<RepositoryHub>()(hubSchema),
    activityDay: of<ActivityDay>()(activityDaySchema),
    build: of<ItemOf<'build'>>()(buildSchema),
    overview: (overview: Overview, generatedAt: Instant) => overviewSchema.write(observedOverview(overview, generatedAt), links),
    searchResult: of<SearchResult>()(searchResultSchema),
    status: (overview: StatusOverview, generatedAt: Instant) => statusOverviewSchema.write(observed(overview, generatedAt), links),
    service: of<ServiceStatus>()(serviceStatusSchema),
    check: of<Check>()(checkSchema),
    day: of<PeriodStatus>()(dayStatusSchema),
    hour: of<PeriodStatus>()(hourStatusSchema),
    source: of<SourceStatus>()(sourceSchema),
  };
}
