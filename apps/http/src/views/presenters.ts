import type { Instant, Overview, SourceStatus, StatusOverview } from '@vitrine/core';
import { presentActivityDay } from './activity.js';
import { articles } from './articles.js';
import { presentBuild } from './builds.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { presentHub } from './hub.js';
import { incidents } from './incidents.js';
import { missions } from './missions.js';
import { news } from './news.js';
import { presentOverview } from './overview.js';
import { releases } from './releases.js';
import { presentRepository } from './repositories.js';
import { presentSearchResult } from './search.js';
import { presentCheck, presentDay, presentHour } from './service-history.js';
import { presentService } from './service-status.js';
import type { Links } from './shared/present.js';
import { presentSource } from './sources.js';
import { presentStatus } from './status.js';
import { videos } from './videos.js';

/** Turns what use cases return into the JSON of the API, field by field. */
export type Presenters = ReturnType<typeof createPresenters>;

/**
 * Presenters whose addresses are those of `links`.
 * @param statusUrl public address of the status overview, the origin of computed states
 * @param sourcesUrl public address of the list of sources
 */
export function createPresenters(links: Links, statusUrl: () => string, sourcesUrl: () => string) {
  const of =
    <Item>(present: (item: Item, links: Links) => object) =>
    (item: Item) =>
      present(item, links);
  return {
    repository: of(presentRepository),
    hub: of(presentHub),
    activityDay: presentActivityDay,
    commit: of(commits.present),
    release: of(releases.present),
    finding: of(findings.present),
    build: of(presentBuild),
    mission: of(missions.present),
    news: of(news.present),
    article: of(articles.present),
    video: of(videos.present),
    overview: (overview: Overview, generatedAt: Instant) => presentOverview(overview, { links, statusUrl: statusUrl(), generatedAt }),
    searchResult: of(presentSearchResult),
    status: (overview: StatusOverview, generatedAt: Instant) => presentStatus(overview, { links, statusUrl: statusUrl(), generatedAt }),
    service: of(presentService),
    check: presentCheck,
    day: presentDay,
    hour: presentHour,
    source: (source: SourceStatus) => presentSource(source, sourcesUrl()),
    incident: of(incidents.present),
  };
}
