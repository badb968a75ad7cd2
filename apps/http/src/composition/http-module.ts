import { ContainerModule, type ResolutionContext } from 'inversify';
import { contentControllers, type ContentUseCases } from '../controllers/content-controllers.js';
import { developmentControllers, type DevelopmentUseCases } from '../controllers/development-controllers.js';
import { LastGood } from '../controllers/last-good.js';
import { overviewControllers } from '../controllers/overview-controllers.js';
import { repositoryControllers, type RepositoryUseCases } from '../controllers/repository-controllers.js';
import { serviceControllers } from '../controllers/service-controllers.js';
import { statusControllers, type StatusUseCases } from '../controllers/status-controllers.js';
import type { Endpoint } from '../http/endpoint.js';
import { createRouter } from '../http/router.js';
import { openApiText } from '../openapi/document.js';
import { pathOf } from '../routes/route.js';
import { routes } from '../routes/table.js';
import { tokens } from './tokens.js';

/** The same for every app of a process. */
const OPEN_API = openApiText();

/** The controllers with their use cases, resolved once, and the app over them. */
export const httpModule = new ContainerModule(({ bind }) => {
  bind(tokens.endpoints).toDynamicValue(endpointsOf).inSingletonScope();
  bind(tokens.app)
    .toResolvedValue((endpoints: readonly Endpoint[]) => createRouter(endpoints), [tokens.endpoints])
    .inSingletonScope();
});

function endpointsOf(container: ResolutionContext): readonly Endpoint[] {
  const settings = container.get(tokens.settings);
  const context = {
    approved: container.get(tokens.approvedSource),
    admission: container.get(tokens.admission),
    lastGood: new LastGood(container.get(tokens.lastGoodCopies), container.get(tokens.clock)),
    budgetMs: settings.requestBudgetMs,
    purgeHeader: settings.purgeHeader ?? null,
  };
  const statusUrl = (): string => settings.publicUrl() + pathOf(routes.getStatus);
  return [
    ...developmentControllers(developmentUseCases(container), context),
    ...repositoryControllers(repositoryUseCases(container), context),
    ...contentControllers(contentUseCases(container), context),
    ...overviewControllers({ getOverview: container.get(tokens.getOverview), search: container.get(tokens.search) }, context, statusUrl),
    ...statusControllers(statusUseCases(container), context, statusUrl),
    ...serviceControllers(container.get(tokens.readiness), OPEN_API),
  ];
}

function developmentUseCases(container: ResolutionContext): DevelopmentUseCases {
  return {
    listCommits: container.get(tokens.listCommits),
    getCommit: container.get(tokens.getCommit),
    listReleases: container.get(tokens.listReleases),
    getRelease: container.get(tokens.getRelease),
    listFindings: container.get(tokens.listFindings),
    getFinding: container.get(tokens.getFinding),
    listMissions: container.get(tokens.listMissions),
    getMission: container.get(tokens.getMission),
  };
}

function repositoryUseCases(container: ResolutionContext): RepositoryUseCases {
  return {
    listRepositories: container.get(tokens.listRepositories),
    getRepository: container.get(tokens.getRepository),
    getRepositoryHub: container.get(tokens.getRepositoryHub),
  };
}

function contentUseCases(container: ResolutionContext): ContentUseCases {
  return {
    listNews: container.get(tokens.listNews),
    getNews: container.get(tokens.getNews),
    listArticles: container.get(tokens.listArticles),
    getArticle: container.get(tokens.getArticle),
    listVideos: container.get(tokens.listVideos),
    getVideo: container.get(tokens.getVideo),
  };
}

function statusUseCases(container: ResolutionContext): StatusUseCases {
  return {
    getStatus: container.get(tokens.getStatus),
    getService: container.get(tokens.getService),
    listServiceChecks: container.get(tokens.listServiceChecks),
    listServiceDays: container.get(tokens.listServiceDays),
    listIncidents: container.get(tokens.listIncidents),
    getIncident: container.get(tokens.getIncident),
  };
}
