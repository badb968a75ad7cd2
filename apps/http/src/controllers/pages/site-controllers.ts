import type { Answer, Page } from '@vitrine/core';
import { PICTURES } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import { siteRoutes } from '../../routes/page-routes.js';
import type { Call } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { assetEndpoints, fixedEndpoint } from './asset-endpoints.js';
import type { PageContext } from './page-context.js';
import { shownRepositories } from './shown-repositories.js';

const HOUR_LONG = 'public, max-age=3600, stale-while-revalidate=30';
const MOST = 100;

/** The documents of a site besides its pages: style, script, icon, manifest, robots.txt and site map. */
export function siteControllers(context: PageContext): readonly Endpoint[] {
  const { pages, basePath } = context;
  const { logo } = pages;
  const fixed = (path: string, type: string, content: () => string | Buffer | Promise<Buffer>) =>
    fixedEndpoint(path, { type, content, cacheControl: HOUR_LONG, basePath });
  return [
    ...assetEndpoints(pages.assets, basePath),
    fixed('/manifest.webmanifest', 'application/manifest+json', () => pages.manifest),
    fixed('/robots.txt', 'text/plain; charset=utf-8', pages.robots),
    ...(logo === null ? [] : [fixed('/logo', logo.type, () => Buffer.from(logo.bytes))]),
    ...PICTURES.map((name) =>
      fixed(name === 'touch-icon' ? '/apple-touch-icon.png' : `/pictures/${name}.png`, 'image/png', () => pages.pictures.draw(name)),
    ),
    faviconController(context, siteRoutes.favicon),
    // Browsers ask for it where no page names another icon, such as for JSON.
    faviconController(context, { ...siteRoutes.favicon, path: '/favicon.ico' }),
    siteMapController(context),
  ];
}

function faviconController({ useCases, pages, documents }: PageContext, route: typeof siteRoutes.favicon): Endpoint {
  return documentEndpoint(route, documents, async ({ signal }) => {
    const { data, dataStatus, warnings, changesAt } = await useCases.getStatus.execute({}, { signal });
    return { dataStatus, warnings, changesAt, text: pages.favicon(data.overallState), repositories: [] };
  });
}

function siteMapController({ useCases, pages, documents }: PageContext): Endpoint {
  return documentEndpoint(siteRoutes.siteMap, documents, async (call) => {
    const found = await readSiteMap({ useCases }, call);
    const { dataStatus, warnings, changesAt } = found.repositories;
    const repositories = found.repositories.data.items;
    const text = pages.siteMap({ ...found.ids, repositories });
    return { dataStatus, warnings, changesAt, text, repositories: [...shownRepositories(repositories), ...shownRepositories(found.shown)] };
  });
}

const NEWEST = { limit: MOST, after: null, from: null, to: null, repository: null } as const;

async function readSiteMap({ useCases }: Pick<PageContext, 'useCases'>, call: Call<unknown>) {
  const [repositories, status, releases, articles] = await Promise.all([
    useCases.listRepositories.execute({ limit: MOST, after: null }, call.context()),
    useCases.getStatus.execute({}, call),
    useCases.listReleases.execute({ ...NEWEST, platform: null, releaseType: null }, call.context()),
    useCases.listArticles.execute({ ...NEWEST, articleKind: null, tag: null, language: null }, call.context()),
  ]);
  const ids = {
    serviceKeys: status.data.services.map(({ key }) => key),
    releaseIds: idsOf(releases),
    articleIds: idsOf(articles),
  };
  return { repositories, ids, shown: [releases.data.items, articles.data.items] };
}

function idsOf({ data }: Answer<Page<{ readonly record: { readonly id: string } }, unknown>>): readonly string[] {
  return data.items.map(({ record }) => record.id);
}
