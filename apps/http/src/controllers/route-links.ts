import type { SiteCopy } from '@vitrine/pages';
import type { LinkedType, Links } from '../presenters/links.js';
import { pathsOf, type Route } from '../routes/route.js';
import { routes } from '../routes/table.js';

/** The route that answers with one record of each type. */
export const ROUTE_OF: Readonly<Record<LinkedType, Route>> = {
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

/** The addresses of the route table. @param basePath the prefix of each, such as `/vitrine`; empty for none */
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

/** A copy of the site, in which a record can be included. */
interface GrowingCopy extends SiteCopy {
  /** @returns the address of the JSON of the record */
  readonly include: (type: LinkedType, id: string) => string;
}

const NO_LISTS = { commits: null, releases: null, findings: null, missions: null } as const;

/** The addresses in the JSON of a copy. A record is included when its address is written, so no address is dead. */
export function copyLinks(copy: GrowingCopy, basePath: string): Links {
  const served = routeLinks('');
  return {
    record: (type, id) => basePath + copy.include(type, id),
    hub: (owner, name) => {
      const json = copy.include('repository', `${owner}/${name}`);
      return basePath + (copy.addressOf(served.hub(owner, name)) ?? json);
    },
    lists: () => NO_LISTS,
  };
}
