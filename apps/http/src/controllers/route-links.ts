import type { LinkedType, Links } from '../presenters/links.js';
import { pathsOf, type Route } from '../routes/route.js';
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
  const records = Object.fromEntries(Object.entries(ROUTE_OF).map(([type, route]) => [type, pathsOf(route, basePath)])) as Readonly<
    Record<LinkedType, (id: string) => string>
  >;
  const list = (route: Route) => {
    const address = `${pathsOf(route, basePath)()}?repository=`;
    return (fullName: string) => address + encodeURIComponent(fullName);
  };
  const [commits, releases] = [list(routes.listCommits), list(routes.listReleases)];
  const [findings, missions] = [list(routes.listFindings), list(routes.listMissions)];
  return {
    record: (type, id) => records[type](id),
    hub: pathsOf(routes.getRepositoryHub, basePath),
    lists: (fullName) => ({
      commits: commits(fullName),
      releases: releases(fullName),
      findings: findings(fullName),
      missions: missions(fullName),
    }),
  };
}
