import type { UseCases } from '@vitrine/core';
import type { Endpoint, PathValues } from '../http/endpoint.js';
import { nameCodec } from '../http/position-codecs.js';
import { presentHub } from '../presenters/hub.js';
import { presentRepository } from '../presenters/repository.js';
import { pathOf } from '../routes/route.js';
import { routes } from '../routes/table.js';
import type { ControllerContext } from './api-endpoint.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

export function repositoryControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return [
    listController(routes.listRepositories, context, {
      codec: nameCodec,
      execute: (page, call) => useCases.listRepositories.execute(page, call.context()),
      present: presentRepository,
    }),
    recordController(
      routes.getRepository,
      context,
      (params, call) => useCases.getRepository.execute({ fullName: fullNameOf(params) }, call.context()),
      presentRepository,
    ),
    recordController(
      routes.getRepositoryByFullName,
      context,
      ({ fullName = '' }, call) => useCases.getRepository.execute({ fullName }, call.context()),
      presentRepository,
    ),
    recordController(
      routes.getRepositoryHub,
      context,
      (params, call) => useCases.getRepositoryHub.execute({ fullName: fullNameOf(params) }, call.context()),
      (hub) => presentHub(hub, linksOf(hub.repository.fullName)),
    ),
  ];
}

function fullNameOf({ owner = '', name = '' }: PathValues): string {
  return `${owner}/${name}`;
}

function linksOf(fullName: string) {
  const query = `?repository=${encodeURIComponent(fullName)}`;
  return {
    commits: pathOf(routes.listCommits) + query,
    releases: pathOf(routes.listReleases) + query,
    findings: pathOf(routes.listFindings) + query,
    missions: pathOf(routes.listMissions) + query,
  };
}
