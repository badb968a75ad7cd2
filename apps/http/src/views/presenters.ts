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
import type { Links } from './shared/schema.js';
import { sourceSchema } from './sources.js';
import { observed, serviceStatusSchema, statusOverviewSchema } from './status.js';
import { kindViews } from './table.js';

type KindPresenters = { readonly [Kind in ViewedKind]: (item: ItemOf<Kind>) => ItemJson<Kind> };

/** Turns what use cases return into the JSON of the API, field by field. */
export type Presenters = ReturnType<typeof createPresenters>;

export function createPresenters(links: Links) {
  const ofKinds = Object.fromEntries(kindViews.map(({ kind, schema: { write } }) => [kind, (item: object): object => write(item, links)]));
  return {
    ...(ofKinds as unknown as KindPresenters),
    repository: (repository: Repository) => repositorySchema.write(repository, links),
    hub: (hub: RepositoryHub) => hubSchema.write(hub, links),
    activityDay: (day: ActivityDay) => activityDaySchema.write(day, links),
    build: (item: ItemOf<'build'>) => buildSchema.write(item, links),
    overview: (overview: Overview, generatedAt: Instant) => overviewSchema.write(observedOverview(overview, generatedAt), links),
    searchResult: (result: SearchResult) => searchResultSchema.write(result, links),
    status: (overview: StatusOverview, generatedAt: Instant) => statusOverviewSchema.write(observed(overview, generatedAt), links),
    service: (service: ServiceStatus) => serviceStatusSchema.write(service, links),
    check: (check: Check) => checkSchema.write(check, links),
    day: (day: PeriodStatus) => dayStatusSchema.write(day, links),
    hour: (hour: PeriodStatus) => hourStatusSchema.write(hour, links),
    source: (source: SourceStatus) => sourceSchema.write(source, links),
  };
}
