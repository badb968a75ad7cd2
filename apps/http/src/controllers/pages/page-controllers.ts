import type { Endpoint } from '../../serving/router.js';
import { aboutPageController } from './about-page-controller.js';
import { historyPageController } from './history-page-controller.js';
import { kindPageControllers } from './kind-page-controllers.js';
import { overviewController } from './overview-controller.js';
import type { PageContext } from './page-context.js';
import { repositoryPageControllers } from './repository-page-controllers.js';
import { rootEndpoint } from './root-endpoint.js';
import { searchPageController } from './search-page-controller.js';
import { siteControllers } from './site-controllers.js';
import { statusPageControllers } from './status-page-controllers.js';

/** All pages with their assets. @param index the endpoint that answers `/` with JSON */
export function pageControllers(context: PageContext, index: Endpoint): readonly Endpoint[] {
  return [
    rootEndpoint(index, overviewController(context)),
    ...statusPageControllers(context),
    historyPageController(context),
    ...repositoryPageControllers(context),
    ...kindPageControllers(context),
    searchPageController(context),
    aboutPageController(context),
    ...siteControllers(context),
  ];
}
