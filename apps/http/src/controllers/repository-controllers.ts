import type { UseCases } from '@vitrine/core';
import type { Endpoint, PathValues } from '../serving/router.js';
import { nameCodec } from '../serving/cursor.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

export function repositoryControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const { present } = context;
  return [
    listController(routes.listRepositories, context, {
      codec: nameCodec,
      execute: (page, call) => useCases.listRepositories.execute(page, call.context()),
      present: present.repository,
    }),
    recordController(
      routes.getRepository,
      context,
      (params, call) => useCases.getRepository.execute({ fullName: fullNameOf(params) }, call.context()),
      present.repository,
    ),
    recordController(
      routes.getRepositoryByFullName,
      context,
      ({ fullName = '' }, call) => useCases.getRepository.execute({ fullName }, call.context()),
      present.repository,
    ),
    recordController(
      routes.getRepositoryHub,
      context,
      (params, call) => useCases.getRepositoryHub.execute({ fullName: fullNameOf(params) }, call.context()),
      present.hub,
    ),
  ];
}

function fullNameOf({ owner = '', name = '' }: PathValues): string {
  return `${owner}/${name}`;
}
