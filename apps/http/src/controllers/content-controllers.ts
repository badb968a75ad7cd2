import type { UseCases } from '@vitrine/core';
import type { Endpoint } from '../http/endpoint.js';
import { timeCodec } from '../http/position-codecs.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
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
    listController(routes.listArticles, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => useCases.listArticles.execute({ ...query.filters(), ...page }, own()),
      present: present.article,
    }),
    recordController(routes.getArticle, context, ({ id = '' }, call) => useCases.getArticle.execute({ id }, call.context()), present.article),
    listController(routes.listVideos, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => useCases.listVideos.execute({ ...query.filters(), ...page }, own()),
      present: present.video,
    }),
    recordController(routes.getVideo, context, ({ id = '' }, call) => useCases.getVideo.execute({ id }, call.context()), present.video),
  ];
}
