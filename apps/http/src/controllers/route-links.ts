import type { LinkedType, Links } from '../presenters/links.js';
import { pathOf, type Route } from '../routes/route.js';
import { routes } from '../routes/table.js';

/** The route that answers with one record of each type. */
const ROUTE_OF: Readonly<Record<LinkedType, Route>> = {
  article: routes.getArticle,
  commit: routes.getCommit,
  finding: routes.getFinding,
  incident: routes.getIncident,
  mission: routes.getMission,
  news: routes.getNews,
  release: routes.getRelease,
  repository: routes.getRepositoryByFullName,
  'status-service': routes.getService,
  video: routes.getVideo,
};

/** The addresses of the route table. @param basePath what stands before each of them, such as `/vitrine`; empty for none */
export function routeLinks(basePath: string): Links {
  const list = (route: Route, fullName: string) => `${basePath}${pathOf(route)}?repository=${encodeURIComponent(fullName)}`;
  return {
    record: (type, id) => basePath + pathOf(ROUTE_OF[type], id),
    hub: (owner, name) => basePath + pathOf(routes.getRepositoryHub, owner, name),
    lists: (fullName) => ({
      commits: list(routes.listCommits, fullName),
      releases: list(routes.listReleases, fullName),
      findings: list(routes.listFindings, fullName),
      missions: list(routes.listMissions, fullName),
    }),
  };
}
