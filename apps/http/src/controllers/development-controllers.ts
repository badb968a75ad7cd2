import { isSha, type GetCommit, type ListActivity, type UseCases } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { timeCodec } from '../serving/cursor.js';
import { routes } from '../routes/table.js';
import { apiEndpoint, replyOf, type ControllerContext } from './api-endpoint.js';
import { commitOf } from './commit-of.js';
import { kindControllers } from './kind-controllers.js';
import { listController } from './list-controller.js';

export function developmentControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const { present } = context;
  return [
    listController(routes.listCommits, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => useCases.listCommits.execute({ ...query.filters(), ...page }, own()),
      present: present.commit,
    }),
    commitController(useCases.getCommit, context),
    ...kindControllers(context, {
      list: [routes.listReleases, useCases.listReleases],
      get: [routes.getRelease, useCases.getRelease],
      present: present.release,
    }),
    activityController(useCases.listActivity, context),
    ...kindControllers(context, {
      list: [routes.listFindings, useCases.listFindings],
      get: [routes.getFinding, useCases.getFinding],
      present: present.finding,
    }),
    ...kindControllers(context, {
      list: [routes.listMissions, useCases.listMissions],
      get: [routes.getMission, useCases.getMission],
      present: present.mission,
    }),
  ];
}

/** All days at once: there are at most 366. */
function activityController(listActivity: ListActivity, context: ControllerContext): Endpoint {
  const route = routes.listActivity;
  return apiEndpoint(route, context, async ({ query, context: own }) => {
    const answer = await listActivity.execute(query.filters(), own());
    return replyOf(route, answer, answer.data.map(context.present.activityDay));
  });
}

/** A commit that is named by its whole sha never changes, so it may be kept for longer. */
function commitController(getCommit: GetCommit, context: ControllerContext): Endpoint {
  const route = routes.getCommit;
  return apiEndpoint(route, context, async (call) => {
    const { sha, repository } = commitOf(call);
    const answer = await getCommit.execute({ sha, repository }, call.context());
    return { ...replyOf(route, answer, context.present.commit(answer.data)), cache: isSha(sha) ? route.cache : 'record' };
  });
}
