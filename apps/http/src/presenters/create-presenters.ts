import type { Check, Incident, Instant, Overview, PeriodStatus, SearchResult, ServiceStatus, SourceStatus, StatusOverview } from '@vitrine/core';
import { contentPresenters } from './content.js';
import { developmentPresenters } from './development.js';
import { presentIncident } from './incident.js';
import type { Links } from './links.js';
import { presentOverview } from './overview.js';
import { repositoryPresenters } from './repositories.js';
import { presentSearchResult } from './search.js';
import { presentSource } from './sources.js';
import { presentCheck, presentDay, presentHour, presentService, presentStatus } from './status.js';

/** Turns what use cases return into the JSON of the API, field by field. */
export type Presenters = ReturnType<typeof createPresenters>;

/**
 * Presenters whose addresses are those of `links`.
 * @param statusUrl public address of the status overview, the origin of computed states
 * @param sourcesUrl public address of the list of sources
 */
export function createPresenters(links: Links, statusUrl: () => string, sourcesUrl: () => string) {
  return {
    ...repositoryPresenters(links),
    ...developmentPresenters(links),
    ...contentPresenters(links),
    overview: (overview: Overview, generatedAt: Instant) => presentOverview(overview, { links, statusUrl: statusUrl(), generatedAt }),
    searchResult: (result: SearchResult) => presentSearchResult(result, links),
    status: (overview: StatusOverview, generatedAt: Instant) => presentStatus(overview, { links, statusUrl: statusUrl(), generatedAt }),
    service: (service: ServiceStatus) => presentService(service, links),
    check: (check: Check) => presentCheck(check),
    day: (day: PeriodStatus) => presentDay(day),
    hour: (hour: PeriodStatus) => presentHour(hour),
    source: (source: SourceStatus) => presentSource(source, sourcesUrl()),
    incident: (incident: Incident) => presentIncident(incident, links),
  };
}
