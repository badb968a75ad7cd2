import { routes } from '../routes/table.js';

const LINKS = [
  ['service-desc', routes.getOpenApi],
  ['overview', routes.getOverview],
  ['status', routes.getStatus],
  ['search', routes.search],
  ['repositories', routes.listRepositories],
  ['commits', routes.listCommits],
  ['releases', routes.listReleases],
  ['activity', routes.listActivity],
  ['findings', routes.listFindings],
  ['missions', routes.listMissions],
  ['news', routes.listNews],
  ['articles', routes.listArticles],
  ['videos', routes.listVideos],
  ['incidents', routes.listIncidents],
  ['sources', routes.listSources],
  ['liveness', routes.getLiveness],
  ['readiness', routes.getReadiness],
] as const;

/** The body of `/` and `/api/v1`: links to all endpoints. */
export function indexBody(basePath: string) {
  return {
    name: 'vitrine',
    apiVersion: 'v1',
    description: 'The public window onto a team’s development: commits, releases, findings, news and service status, read-only.',
    links: LINKS.map(([rel, { path }]) => ({ rel, href: basePath + path })),
  };
}
