import type { UseCases } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { timeCodec } from '../serving/cursor.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
import { kindControllers } from './kind-controllers.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

export function contentControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const { present } = context;
  return [
    listController(routes.listNews, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => useCases.listNews.execute({ ...query.filters(), ...page }, { signal }),
      present: present.news,
    }),
    recordController(routes.getNews, context, ({ id = '' }, { signal }) => useCases.getNews.execute({ id }, { signal }), present.news),
    ...kindControllers(context, {
      list: [routes.listArticles, useCases.listArticles],
      get: [routes.getArticle, useCases.getArticle],
      present: present.article,
    }),
    ...kindControllers(context, {
      list: [routes.listVideos, useCases.listVideos],
      get: [routes.getVideo, useCases.getVideo],
      present: present.video,
    }),
  ];
}
