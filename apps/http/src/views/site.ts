import type { Answer, Page } from '@vitrine/core';
import { type Asset, type Pages, PICTURES } from '@vitrine/pages';
import { statusOf } from '../serving/errors.js';
import type { ExchangeContext } from '../serving/exchange.js';
import { asksForHtml, entityTagOf, FinishedAnswer, prefersJson } from '../serving/finished-answer.js';
import { FOR_EVER, NO_STORE, serviceDescLink } from '../serving/envelope.js';
import type { Endpoint } from '../serving/router.js';
import { listRepositoriesRoute } from './repositories.js';
import type { Call } from './shared/endpoint.js';
import { documentEndpoint } from './shared/document.js';
import { type PageContext } from './shared/page.js';
import { documentOf, HTML } from './shared/route.js';
import { getStatusRoute } from './status.js';

const siteRoutes = {
  favicon: documentOf(getStatusRoute, { path: '/favicon.svg', type: 'image/svg+xml' }),
  siteMap: documentOf(listRepositoriesRoute, {
    path: '/sitemap.xml',
    type: 'application/xml; charset=utf-8',
    shows: ['repository', 'service', 'release', 'article'],
  }),
} as const;

/** `/` is the index of the API for programs that ask for JSON, and the overview for everybody else. */
export function rootEndpoint(index: Endpoint, overview: Endpoint): Endpoint {
  return {
    ...overview,
    answer: (exchange, params) => (prefersJson(exchange.request.headers) ? index : overview).answer(exchange, params),
  };
}

function assetEndpoints(assets: readonly Asset[], basePath: string): readonly Endpoint[] {
  return assets.map(({ path, type, text }) => fixedEndpoint(path, { type, content: () => text, cacheControl: FOR_EVER, basePath }));
}

interface FixedDocument {
  readonly type: string;
  /** Is called once, for the first request. */
  readonly content: () => string | Buffer | Promise<Buffer>;
  readonly cacheControl: string;
  readonly basePath: string;
}

/** An address whose answer is the same for the life of the process. A query is ignored. */
function fixedEndpoint(path: string, { type, content, cacheControl, basePath }: FixedDocument): Endpoint {
  let answer: FinishedAnswer | null = null;
  const made = async (): Promise<FinishedAnswer> => {
    if (answer === null) {
      const text = await content();
      const etag = entityTagOf(text.toString('latin1'), false);
      answer = new FinishedAnswer({ type, text, cacheControl, link: serviceDescLink(basePath), etag });
    }
    return answer;
  };
  return {
    path,
    spanning: null,
    isWellFormed: () => true,
    answer: async (exchange) => {
      exchange.requireWithinLimits();
      exchange.sendFinished(await made());
    },
    document: made,
  };
}

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

function faviconController(context: PageContext, route: typeof siteRoutes.favicon): Endpoint {
  const { useCases, pages } = context;
  return documentEndpoint(route, context, async ({ signal }) => {
    const { data, dataStatus, warnings, changesAt } = await useCases.getStatus.execute({}, { signal });
    return { dataStatus, warnings, changesAt, text: pages.favicon(data.overallState) };
  });
}

function siteMapController(context: PageContext): Endpoint {
  const { useCases, pages } = context;
  return documentEndpoint(siteRoutes.siteMap, context, async (call) => {
    const found = await readSiteMap({ useCases }, call);
    const { dataStatus, warnings, changesAt } = found.repositories;
    const repositories = found.repositories.data.items;
    const text = pages.siteMap({ ...found.ids, repositories });
    return { dataStatus, warnings, changesAt, text, shows: [repositories, found.shown] };
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

const API = /^\/api(?:\/|$)/;

/** Errors as pages, for people: outside the API, and only for clients that name HTML. */
export function errorPageOf(pages: Pages): ExchangeContext['errorPage'] {
  return (refusal, { request, path, requestId }) => {
    if (API.test(path) || !asksForHtml(request.headers)) return null;
    const status = statusOf(refusal.code);
    const body = pages.error({ status, detail: refusal.message, requestId });
    return { status, type: HTML, body, cacheControl: NO_STORE, policy: pages.policy, headers: { ...refusal.headers, Vary: 'Accept' } };
  };
}
