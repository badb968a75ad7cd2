import { type Answer, type Page, SECOND } from '@vitrine/core';
import { type Pages, PICTURES } from '@vitrine/pages';
import { statusOf } from '../serving/errors.js';
import { type ExchangeContext, problemAnswer } from '../serving/exchange.js';
import { asksForHtml, type FinishedAnswer, fixedAnswer, prefersJson } from '../serving/finished-answer.js';
import { FOR_EVER, NO_STORE, serviceDescLink } from '../serving/envelope.js';
import type { Endpoint } from '../serving/router.js';
import { listRepositoriesRoute } from './repositories.js';
import { documentEndpoint } from './shared/endpoint.js';
import { PlainPageQuery } from './shared/lists.js';
import { NoQuery } from './shared/parameters.js';
import { documentOf, HTML, type PageContext } from './shared/route.js';
import { getStatusRoute } from './status.js';

/** `/` is the index of the API for programs that ask for JSON, and the overview for everybody else. */
export function rootEndpoint(index: Endpoint, overview: Endpoint): Endpoint {
  return {
    ...overview,
    answer: (exchange, params) => (prefersJson(exchange.request.headers) ? index : overview).answer(exchange, params),
  };
}

/** A request that waits longer gets a 503: a connection on which nothing happens can be reset after 7.5 s. The document is made meanwhile, for the next request. */
export const LONGEST_WAIT_MS = 5 * SECOND;

type Content = () => string | Buffer | Promise<Buffer>;

/** An address whose answer is the same for the life of the process. A query is ignored. */
function fixedEndpoint({ basePath, deadlines }: PageContext, path: string, type: string, content: Content, cacheControl = HOUR_LONG): Endpoint {
  let answer: Promise<FinishedAnswer> | null = null;
  const make = async (): Promise<FinishedAnswer> => fixedAnswer({ type, text: await content(), cacheControl, link: serviceDescLink(basePath) });
  const made = (): Promise<FinishedAnswer> => {
    answer ??= make().catch((error: unknown) => {
      answer = null;
      throw error;
    });
    return answer;
  };
  return {
    path,
    answer: async (exchange) => {
      exchange.requireWithinLimits();
      exchange.sendFinished(await deadlines.run(LONGEST_WAIT_MS, new AbortController().signal, made));
    },
    document: async () => (await made()).body,
  };
}

const HOUR_LONG = 'public, max-age=3600, stale-while-revalidate=30';
const MOST = 100;

export function siteEndpoints(context: PageContext): readonly Endpoint[] {
  const { pages } = context;
  const { logo } = pages;
  return [
    ...pages.assets.map(({ path, type, text }) => fixedEndpoint(context, path, type, () => text, FOR_EVER)),
    fixedEndpoint(context, '/manifest.webmanifest', 'application/manifest+json', () => pages.manifest),
    fixedEndpoint(context, '/robots.txt', 'text/plain; charset=utf-8', pages.robots),
    ...(logo === null ? [] : [fixedEndpoint(context, '/logo', logo.type, () => Buffer.from(logo.bytes))]),
    ...PICTURES.map((name) =>
      fixedEndpoint(context, name === 'touch-icon' ? '/apple-touch-icon.png' : `/pictures/${name}.png`, 'image/png', () => pages.pictures.draw(name)),
    ),
    // Browsers ask for the second one where no page names another icon, such as for JSON.
    ...[faviconRoute, { ...faviconRoute, path: '/favicon.ico' }, siteMapRoute].map((route) => documentEndpoint(route, context)),
  ];
}

const faviconRoute = documentOf<NoQuery, PageContext>(getStatusRoute, {
  path: '/favicon.svg',
  type: 'image/svg+xml',
  answer: async ({ signal }, { useCases, pages }) => {
    const { data, ...answer } = await useCases.getStatus.execute({}, { signal });
    return { ...answer, text: pages.favicon(data.overallState) };
  },
});

const NEWEST = { limit: MOST, after: null, from: null, to: null, repository: null } as const;

const siteMapRoute = documentOf<PlainPageQuery, PageContext>(listRepositoriesRoute, {
  path: '/sitemap.xml',
  type: 'application/xml; charset=utf-8',
  ignores: ['limit', 'cursor'],
  shows: ['repository', 'service', 'release', 'article'],
  answer: async (call, { useCases, pages }) => {
    const [repositories, status, releases, articles] = await Promise.all([
      useCases.listRepositories.execute({ limit: MOST, after: null }, call.context()),
      useCases.getStatus.execute({}, call),
      useCases.listReleases.execute({ ...NEWEST, platform: null, releaseType: null }, call.context()),
      useCases.listArticles.execute({ ...NEWEST, articleKind: null, tag: null, language: null }, call.context()),
    ]);
    const { data, ...answer } = repositories;
    const text = pages.siteMap({
      repositories: data.items,
      serviceKeys: status.data.services.map(({ key }) => key),
      releaseIds: idsOf(releases),
      articleIds: idsOf(articles),
    });
    return { ...answer, text, shows: [data.items, releases.data.items, articles.data.items] };
  },
});

function idsOf({ data }: Answer<Page<{ readonly record: { readonly id: string } }, unknown>>): readonly string[] {
  return data.items.map(({ record }) => record.id);
}

const API = /^\/api(?:\/|$)/;

/** Errors outside the API: as pages for clients that name HTML, otherwise as problem documents. */
export function errorPageOf(pages: Pages): ExchangeContext['errorPage'] {
  return (refusal, { request, path, requestId, basePath }) => {
    if (API.test(path)) return null;
    const headers = { ...refusal.headers, Vary: 'Accept' };
    if (!asksForHtml(request.headers)) return { ...problemAnswer(refusal, requestId, basePath, false), headers };
    const status = statusOf(refusal.code);
    const body = pages.error({ status, detail: refusal.message, requestId });
    return { status, type: HTML, body, cacheControl: NO_STORE, policy: pages.policy, headers };
  };
}
