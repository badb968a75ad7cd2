import type {
  ActivityDay,
  Article,
  Build,
  Check,
  Commit,
  Finding,
  Incident,
  Instant,
  Mission,
  News,
  Overview,
  PeriodStatus,
  Release,
  Repository,
  RepositoryHub,
  SearchResult,
  ServiceStatus,
  SourceStatus,
  StatusOverview,
  Video,
  WithOptionalRepository,
  WithRepository,
} from '@vitrine/core';
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
  return {
    repository: (repository: Repository) => presentRepository(repository, links),
    hub: (hub: RepositoryHub) => presentHub(hub, links),
    activityDay: (counted: ActivityDay) => presentActivityDay(counted),
    commit: (view: WithRepository<Commit>) => commits.present(view, links),
    release: (view: WithRepository<Release>) => releases.present(view, links),
    finding: (view: WithRepository<Finding>) => findings.present(view, links),
    build: (view: WithRepository<Build>) => presentBuild(view, links),
    mission: (view: WithOptionalRepository<Mission>) => missions.present(view, links),
    news: (record: News) => news.present(record, links),
    article: (view: WithOptionalRepository<Article>) => articles.present(view, links),
    video: (view: WithOptionalRepository<Video>) => videos.present(view, links),
    overview: (overview: Overview, generatedAt: Instant) => presentOverview(overview, { links, statusUrl: statusUrl(), generatedAt }),
    searchResult: (result: SearchResult) => presentSearchResult(result, links),
    status: (overview: StatusOverview, generatedAt: Instant) => presentStatus(overview, { links, statusUrl: statusUrl(), generatedAt }),
    service: (service: ServiceStatus) => presentService(service, links),
    check: (check: Check) => presentCheck(check),
    day: (day: PeriodStatus) => presentDay(day),
    hour: (hour: PeriodStatus) => presentHour(hour),
    source: (source: SourceStatus) => presentSource(source, sourcesUrl()),
    incident: (incident: Incident) => incidents.present(incident, links),
  };
}
