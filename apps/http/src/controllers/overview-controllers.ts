import { hitJudgedAgain, statusJudgedAgain, type UseCases } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { searchCodec } from '../serving/cursor.js';
import { routes } from '../routes/table.js';
import { apiEndpoint, replyOf, type ControllerContext } from './api-endpoint.js';
import { indexBody } from './index-body.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

export function overviewControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const { present } = context;
  const index = indexBody(context.basePath);
  return [
    apiEndpoint(routes.getApiIndex, context, () =>
      Promise.resolve(replyOf(routes.getApiIndex, { data: index, dataStatus: 'fresh', warnings: [], changesAt: null }, index)),
    ),
    recordController(
      routes.getOverview,
      context,
      (_params, call) => useCases.getOverview.execute({}, { approved: call.approvedOrNull(), signal: call.signal }),
      (overview, { generatedAt = 0 }) => present.overview(overview, generatedAt),
      (overview, now) => ({ ...overview, status: overview.status === null ? null : statusJudgedAgain(overview.status, now) }),
    ),
    listController(routes.search, context, {
      codec: searchCodec,
      execute: (page, { query, context: own }) => useCases.search.execute({ ...query.filters(), ...page }, own()),
      present: present.searchResult,
      judgedAgain: hitJudgedAgain,
    }),
  ];
}
