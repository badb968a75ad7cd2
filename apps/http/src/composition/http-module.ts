import { ContainerModule, type ResolutionContext } from 'inversify';
import { contentControllers } from '../controllers/content-controllers.js';
import { developmentControllers } from '../controllers/development-controllers.js';
import { overviewControllers } from '../controllers/overview-controllers.js';
import { repositoryControllers } from '../controllers/repository-controllers.js';
import { serviceControllers } from '../controllers/service-controllers.js';
import { sourceControllers } from '../controllers/source-controllers.js';
import { statusControllers } from '../controllers/status-controllers.js';
import type { Endpoint } from '../http/endpoint.js';
import { createRouter } from '../http/router.js';
import { openApiText } from '../openapi/document.js';
import { tokens } from './tokens.js';
import { vitrinePresenters } from './vitrine-presenters.js';

/** For servers of their own, which is nearly every one. */
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
  const { basePath } = settings;
  const useCases = container.get(tokens.useCases);
  const context = {
    approved: container.get(tokens.approvedSource),
    admission: container.get(tokens.admission),
    answers: container.get(tokens.answers),
    budgetMs: settings.requestBudgetMs,
    basePath,
    present: vitrinePresenters(settings),
    purgeHeader: settings.purgeHeader ?? null,
  };
  return [
    ...developmentControllers(useCases, context),
    ...repositoryControllers(useCases, context),
    ...contentControllers(useCases, context),
    ...overviewControllers(useCases, context),
    ...statusControllers(useCases, context),
    ...sourceControllers(useCases, context),
    ...serviceControllers(container.get(tokens.readiness), basePath === '' ? OPEN_API : openApiText(basePath), basePath),
  ];
}
