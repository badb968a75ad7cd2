import type { UseCases } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { sourceCodec } from '../serving/cursor.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
import { listController } from './list-controller.js';

export function sourceControllers({ listSources }: UseCases, context: ControllerContext): readonly Endpoint[] {
  return [
    listController(routes.listSources, context, {
      codec: sourceCodec,
      execute: (page, call) => listSources.execute(page, call.context()),
      present: context.present.source,
    }),
  ];
}
