import { allViews, entryLinks, indexBody, copyLinks, routeLinks, routes } from '../views/table.js';
import { allFeeds, allPages } from '../views/documents.js';
import type { Links } from '../views/shared/present.js';
import { plainViews } from '../views/plain.js';
import type { ChangeFeed, UseCases } from '@vitrine/core';
import { createPages, type Pages, type TextRenderer } from '@vitrine/pages';
import { ContainerModule, type ResolutionContext } from 'inversify';
import type { Call } from '../views/shared/endpoint.js';
import type { DocumentContext } from '../views/shared/document.js';
import type { FeedContext } from '../views/shared/feed.js';
import { errorPages } from '../views/site.js';
import { PresentPlaces } from '../views/present-places.js';
import { createRouter, type Endpoint } from '../serving/router.js';
import { openApiText } from '../openapi/document.js';
import { pathOfUrl } from './handler-options.js';
import type { Settings } from './settings.js';
import { tokens } from './tokens.js';
import { createPresenters, type Presenters } from '../views/presenters.js';
import type { Route } from '../views/shared/route.js';

/** The controllers with their use cases, resolved once, and the app over them. */
export const httpModule = new ContainerModule(({ bind }) => {
  bind(tokens.places).toResolvedValue(
    (useCases: UseCases, feed: ChangeFeed | null, { copy = null }: Settings) => new PresentPlaces(useCases, feed !== null || copy !== null),
    [tokens.useCases, tokens.changeFeed, tokens.settings],
  );
  bind(tokens.pages).toResolvedValue(
    ({ site = null, copy = null, basePath, publicUrl }: Settings, texts: TextRenderer, places: PresentPlaces): Pages | null =>
      site === null ? null : createPages(site, { basePath, publicUrl, copy, present: () => places.current }, texts),
    [tokens.settings, tokens.texts, tokens.places],
  );
  bind(tokens.errorPages).toResolvedValue((pages: Pages | null) => (pages === null ? null : errorPages(pages)), [tokens.pages]);
  bind(tokens.endpoints).toDynamicValue(endpointsOf);
  bind(tokens.app).toResolvedValue((endpoints: readonly Endpoint[]) => createRouter(endpoints), [tokens.endpoints]);
});

function endpointsOf(container: ResolutionContext): readonly Endpoint[] {
  const settings = container.get(tokens.settings);
  const { basePath } = settings;
  const useCases = container.get(tokens.useCases);
  const documents = documentContext(container, settings);
  const feeds = feedContext(container, documents);
  const context = { ...documents, links: linksOf(settings), publicUrl: settings.publicUrl };
  const service = plainViews({
    readiness: container.get(tokens.readiness),
    openApi: () => openApiText(basePath),
    index: indexBody(basePath),
    basePath,
    hasPages: container.get(tokens.pages) !== null,
  });
  return [...allViews(useCases, context), ...allFeeds(feeds), ...withPages(service, container, documents)];
}

function documentContext(container: ResolutionContext, { basePath, requestBudgetMs, purgeHeader = null }: Settings) {
  return {
    approved: container.get(tokens.approvedSource),
    answers: container.get(tokens.answers),
    budgetMs: requestBudgetMs,
    basePath,
    purgeHeader,
  };
}

function feedContext(container: ResolutionContext, documents: DocumentContext): FeedContext {
  const { publicUrl, site = null, copy = null } = container.get(tokens.settings);
  const [useCases, deadlines] = [container.get(tokens.useCases), container.get(tokens.deadlines)];
  const pages = { publicUrl, hasPages: site !== null, copy };
  return {
    ...pages,
    entryLinks: () => entryLinks(pages),
    documents,
    useCases,
    deadlines,
    title: site?.title ?? 'Vitrine',
    texts: container.get(tokens.texts),
  };
}

/** The endpoints without envelope, and the pages if there are any: then `/` is theirs. */
function withPages(service: readonly Endpoint[], container: ResolutionContext, documents: DocumentContext): readonly Endpoint[] {
  const pages = container.get(tokens.pages);
  const index = service.find(({ path }) => path === '/');
  if (pages === null || index === undefined) return service;
  const { policy, asLastGood } = pages;
  const [useCases, deadlines] = [container.get(tokens.useCases), container.get(tokens.deadlines)];
  const places = container.get(tokens.places);
  const context = { ...documents, policy, asLastGood, pages, useCases, deadlines, documents, prepare: (call: Call<unknown>) => places.read(call) };
  return [...service.filter((endpoint) => endpoint !== index), ...allPages(context, index)];
}

/**
 * Presenters for your own routes, with the JSON of the API: `vitrinePresenters({ publicUrl }).commit(item)`.
 *
 * @param publicUrl public address of the API, without a slash at its end; asked at each answer when it is a function
 * @param hasPages whether pages are served there, so that records have a `pageUrl`
 * @param basePath the prefix of every path, such as `/vitrine`; by default the path of `publicUrl`, or nothing if `publicUrl` is a function
 */
export function vitrinePresenters({
  publicUrl,
  basePath = typeof publicUrl === 'string' ? pathOfUrl(publicUrl) : '',
  hasPages = false,
}: {
  readonly publicUrl: string | (() => string);
  readonly basePath?: string;
  readonly hasPages?: boolean;
}): Presenters {
  const pages = { publicUrl: () => (typeof publicUrl === 'string' ? publicUrl : publicUrl()), hasPages, copy: null };
  const address = (route: Route) => () => pages.publicUrl() + route.path;
  return createPresenters(routeLinks(basePath, pages), address(routes.getStatus), address(routes.listSources));
}

/** The addresses of a server, or of a copy of its site. */
function linksOf({ basePath, copy = null, site = null, publicUrl }: Settings): Links {
  const pages = { publicUrl, hasPages: site !== null, copy };
  return copy === null ? routeLinks(basePath, pages) : copyLinks(copy, basePath, pages);
}
