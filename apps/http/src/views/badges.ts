import { type Answer, type Instant, serviceJudgedAgain, type ServiceStatus, statusJudgedAgain } from '@vitrine/core';
import {
  activityBadge,
  type Badge,
  badgeJson,
  type BadgeStyle,
  badgeSvg,
  releaseBadge,
  responseBadge,
  stateBadge,
  statusBadge,
  uptimeBadge,
} from '@vitrine/feeds';
import type { Endpoint } from '../serving/router.js';
import { fullNameOf, getRepositoryRoute } from './repositories.js';
import { getServiceRoute } from './services.js';
import type { Call, ViewContext } from './shared/endpoint.js';
import { documentEndpoint } from './shared/document.js';
import { PageParts } from './shared/page.js';
import { Choice } from './shared/parameters.js';
import { Query } from './shared/query.js';
import { type ApiRoute, documentOf, type DocumentRoute } from './shared/route.js';
import { getStatusRoute } from './status.js';

const DEFAULT_STYLE = 'flat';
const STYLES = [DEFAULT_STYLE, 'flat-square', 'plastic', 'for-the-badge'] as const;

class BadgeQuery extends Query {
  @Choice('How the badge looks.', STYLES, DEFAULT_STYLE) readonly style?: string;

  badgeStyle(): (typeof STYLES)[number] {
    return STYLES.find((style) => style === this.style) ?? DEFAULT_STYLE;
  }
}

export type BadgeFormat = 'svg' | 'json';

const TYPES: Readonly<Record<BadgeFormat, string>> = { svg: 'image/svg+xml; charset=utf-8', json: 'application/json; charset=utf-8' };

export interface BadgeRoute extends DocumentRoute<BadgeQuery> {
  readonly format: BadgeFormat;
}

/** Both formats of a badge, which shows a part of the answer of an endpoint. */
function badgesOf(path: string, endpoint: ApiRoute, differences: Partial<Pick<DocumentRoute, 'shows'>> = {}): readonly BadgeRoute[] {
  return (['svg', 'json'] as const).map((format) => ({
    ...documentOf(endpoint, differences),
    query: BadgeQuery,
    path: `/badges/${path}.${format}`,
    type: TYPES[format],
    format,
  }));
}

const SERVICE = 'services/{key}';
const REPOSITORY = 'repositories/{owner}/{name}';

export const badgeRoutes = {
  status: badgesOf('status', getStatusRoute),
  state: badgesOf(`${SERVICE}/state`, getServiceRoute),
  uptime: badgesOf(`${SERVICE}/uptime`, getServiceRoute),
  response: badgesOf(`${SERVICE}/response`, getServiceRoute),
  release: badgesOf(`${REPOSITORY}/release`, getRepositoryRoute, { shows: [...getRepositoryRoute.shows, 'release'] }),
  activity: badgesOf(`${REPOSITORY}/activity`, getRepositoryRoute, { shows: [...getRepositoryRoute.shows, 'commit', 'release'] }),
} as const;

const WRITERS: Readonly<Record<BadgeFormat, (badge: Badge, style: BadgeStyle) => string>> = { svg: badgeSvg, json: badgeJson };

interface BadgeFacts extends Omit<Answer<unknown>, 'data'> {
  readonly badge: Badge;
  /** For a badge that depends on the present time: the same badge for a later time. */
  readonly again?: (now: Instant) => Badge;
  /** What it shows: the repositories in it are named to caches. */
  readonly shows?: unknown;
}

export function badgeControllers(context: ViewContext): readonly Endpoint[] {
  const { useCases } = context;
  return [
    ...badgeEndpoints(badgeRoutes.status, context, async ({ signal }) => {
      const { data, ...answer } = await useCases.getStatus.execute({}, { signal });
      const badge = statusBadge(data.overallState);
      return { ...answer, badge, again: (now) => statusBadge(statusJudgedAgain(data, now).overallState) };
    }),
    ...serviceBadges(badgeRoutes.state, context, stateBadge),
    ...serviceBadges(badgeRoutes.uptime, context, uptimeBadge),
    ...serviceBadges(badgeRoutes.response, context, responseBadge),
    ...badgeEndpoints(badgeRoutes.release, context, async ({ params, context: own }) => {
      const { data, ...answer } = await useCases.getRepository.execute({ fullName: fullNameOf(params) }, own());
      return { ...answer, badge: releaseBadge(data.latestRelease), shows: data };
    }),
    ...badgeEndpoints(badgeRoutes.activity, context, (call) => activityFacts(context, call)),
  ];
}

function badgeEndpoints(
  routes: readonly BadgeRoute[],
  context: ViewContext,
  run: (call: Call<BadgeQuery>) => Promise<BadgeFacts>,
): readonly Endpoint[] {
  return routes.map((route) =>
    documentEndpoint(route, context, async (call) => {
      const { badge, again, ...answer } = await run(call);
      const text = (own: Badge): string => WRITERS[route.format](own, call.query.badgeStyle());
      return { ...answer, text: text(badge), ...(again !== undefined && { again: (now: Instant) => text(again(now)) }) };
    }),
  );
}

function serviceBadges(routes: readonly BadgeRoute[], context: ViewContext, badgeOf: (service: ServiceStatus) => Badge): readonly Endpoint[] {
  return badgeEndpoints(routes, context, async ({ params, signal }) => {
    const { data, ...answer } = await context.useCases.getService.execute({ key: params['key'] ?? '' }, { signal });
    return { ...answer, badge: badgeOf(data), again: (now) => badgeOf(serviceJudgedAgain(data, now)) };
  });
}

/** The repository is read, too: without it, one that is not approved would have a badge, because a list of it is empty. */
async function activityFacts({ useCases, deadlines }: ViewContext, { params, context: own, signal }: Call<BadgeQuery>): Promise<BadgeFacts> {
  const fullName = fullNameOf(params);
  const parts = new PageParts(deadlines, signal);
  const [repository, days] = await Promise.all([
    parts.need(() => useCases.getRepository.execute({ fullName }, own())),
    parts.need(() => useCases.listActivity.execute({ repository: fullName, from: null, to: null }, own())),
  ]);
  return { ...parts.currency, badge: activityBadge(days), shows: repository };
}
