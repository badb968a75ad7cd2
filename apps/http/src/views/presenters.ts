import type { ActivityDay, Check, Instant, Overview, PeriodStatus, StatusOverview } from '@vitrine/core';
import { activityDaySchema } from './activity.js';
import { presentBuild } from './builds.js';
import { presentHub } from './hub.js';
import type { ItemOf, ViewedKind } from './kind-parts.js';
import type { ItemJson } from './kind-view.js';
import { kindViews } from './table.js';
import { presentOverview } from './overview.js';
import { presentRepository } from './repositories.js';
import { presentSearchResult } from './search.js';
import { checkSchema, dayStatusSchema, hourStatusSchema } from './services.js';
import type { Links } from './shared/schema.js';
import { presentSource } from './sources.js';
import { presentService, presentStatus } from './status.js';

type KindPresenters = { readonly [Kind in ViewedKind]: (item: ItemOf<Kind>) => ItemJson<Kind> };
/** A presenter gets only items of its own kind. */
type PresentAny = (item: unknown, links: Links) => object;

/** Turns what use cases return into the JSON of the API, field by field. */
export type Presenters = ReturnType<typeof createPresenters>;

export function createPresenters(links: Links) {
  const of =
    <Item, Json>(present: (item: Item, links: Links) => Json) =>
    (item: Item) =>
      present(item, links);
  const ofKinds = Object.fromEntries(kindViews.map(({ kind, present }) => [kind, of(present as PresentAny)])) as KindPresenters;
  return {
    ...ofKinds,
    repository: of(presentRepository),
    hub: of(presentHub),
    activityDay: (day: ActivityDay) => activityDaySchema.write(day),
    build: of(presentBuild),
    overview: (overview: Overview, generatedAt: Instant) => presentOverview(overview, links, generatedAt),
    searchResult: of(presentSearchResult),
    status: (overview: StatusOverview, generatedAt: Instant) => presentStatus(overview, links, generatedAt),
    service: of(presentService),
    check: (check: Check) => checkSchema.write(check),
    day: (day: PeriodStatus) => dayStatusSchema.write(day),
    hour: (hour: PeriodStatus) => hourStatusSchema.write(hour),
    source: of(presentSource),
  };
}
