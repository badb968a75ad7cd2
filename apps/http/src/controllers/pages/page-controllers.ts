import type { Endpoint } from '../../http/endpoint.js';
import { assetControllers } from './asset-controllers.js';
import { overviewController } from './overview-controller.js';
import type { PageContext } from './page-context.js';
import { rootEndpoint } from './root-endpoint.js';

/** All pages with what they load. @param index the endpoint that answers `/` with JSON */
export function pageControllers(context: PageContext, index: Endpoint): readonly Endpoint[] {
  const { pages, basePath } = context;
  return [rootEndpoint(index, overviewController(context)), ...assetControllers(pages.assets, basePath)];
}
