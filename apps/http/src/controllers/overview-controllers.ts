import { hitJudgedAgain, statusJudgedAgain, type SearchResult, type SearchType, type UseCases } from '@vitrine/core';
import type { Endpoint } from '../http/endpoint.js';
import { searchCodec } from '../http/position-codecs.js';
import { presentOverview } from '../presenters/overview.js';
import { presentSearchResult } from '../presenters/search.js';
import { pathOf, type Route } from '../routes/route.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

/** Where a hit of each type is found by its id. */
const ROUTE_OF: Readonly<Record<SearchType, Route>> = {
  article: routes.getArticle,
  commit: routes.getCommit,
  finding: routes.getFinding,
  mission: routes.getMission,
  news: routes.getNews,
  release: routes.getRelease,
  repository: routes.getRepositoryByFullName,
  'status-service': routes.getService,
};

export function overviewControllers(useCases: UseCases, context: ControllerContext, statusUrl: () => string): readonly Endpoint[] {
  return [
    recordController(
      routes.getOverview,
      context,
      (_params, call) => useCases.getOverview.execute({}, { approved: call.approvedOrNull(), signal: call.signal }),
      (overview, { generatedAt = 0 }) => presentOverview(overview, statusUrl(), generatedAt),
      (overview, now) => ({ ...overview, status: overview.status === null ? null : statusJudgedAgain(overview.status, now) }),
    ),
    listController(routes.search, context, {
      codec: searchCodec,
      execute: (page, { query, context: own }) => useCases.search.execute({ ...query.filters(), ...page }, own()),
      present: (hit: SearchResult) => presentSearchResult(hit, pathOf(ROUTE_OF[hit.type], hit.id)),
      judgedAgain: hitJudgedAgain,
    }),
  ];
}
