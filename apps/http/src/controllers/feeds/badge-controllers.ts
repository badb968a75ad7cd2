import { serviceJudgedAgain, statusJudgedAgain, type Answer, type Instant, type ServiceStatus } from '@vitrine/core';
import {
  activityBadge,
  badgeJson,
  badgeSvg,
  releaseBadge,
  responseBadge,
  stateBadge,
  statusBadge,
  uptimeBadge,
  type Badge,
  type BadgeStyle,
} from '@vitrine/feeds';
import type { Endpoint, PathValues } from '../../serving/router.js';
import type { BadgeQuery } from '../../requests/badge-query.js';
import { badgeRoutes, type BadgeFormat, type BadgeRoute } from '../../routes/badge-routes.js';
import type { Call } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { PageParts } from '../pages/page-parts.js';
import type { FeedContext } from './feed-context.js';

const WRITERS: Readonly<Record<BadgeFormat, (badge: Badge, style: BadgeStyle) => string>> = { svg: badgeSvg, json: badgeJson };

/** What a badge is made of. */
interface BadgeFacts extends Omit<Answer<unknown>, 'data'> {
  readonly badge: Badge;
  /** For a badge that depends on the present time: the same badge for a later time. */
  readonly again?: (now: Instant) => Badge;
  /** The full names of the repositories that it shows. */
  readonly repositories?: readonly string[];
}

/** The badges of the status, of services and of repositories. */
export function badgeControllers(context: FeedContext): readonly Endpoint[] {
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
      return { ...answer, badge: releaseBadge(data.latestRelease), repositories: [data.fullName] };
    }),
    ...badgeEndpoints(badgeRoutes.activity, context, (call) => activityFacts(context, call)),
  ];
}

function badgeEndpoints(
  routes: readonly BadgeRoute[],
  { documents }: FeedContext,
  run: (call: Call<BadgeQuery>) => Promise<BadgeFacts>,
): readonly Endpoint[] {
  return routes.map((route) =>
    documentEndpoint(route, documents, async (call) => {
      const { badge, again, repositories = [], ...answer } = await run(call);
      const text = (own: Badge): string => WRITERS[route.format](own, call.query.badgeStyle());
      return { ...answer, text: text(badge), repositories, ...(again !== undefined && { again: (now: Instant) => text(again(now)) }) };
    }),
  );
}

function serviceBadges(routes: readonly BadgeRoute[], context: FeedContext, badgeOf: (service: ServiceStatus) => Badge): readonly Endpoint[] {
  return badgeEndpoints(routes, context, async ({ params, signal }) => {
    const { data, ...answer } = await context.useCases.getService.execute({ key: params['key'] ?? '' }, { signal });
    return { ...answer, badge: badgeOf(data), again: (now) => badgeOf(serviceJudgedAgain(data, now)) };
  });
}

/** The repository is read, too: without it, one that is not approved would have a badge, because a list of it is empty. */
async function activityFacts({ useCases, deadlines }: FeedContext, { params, context: own, signal }: Call<BadgeQuery>): Promise<BadgeFacts> {
  const fullName = fullNameOf(params);
  const parts = new PageParts(deadlines, signal);
  const [repository, days] = await Promise.all([
    parts.need(() => useCases.getRepository.execute({ fullName }, own())),
    parts.need(() => useCases.listActivity.execute({ repository: fullName, from: null, to: null }, own())),
  ]);
  return { ...parts.currency, changesAt: parts.changesAt, badge: activityBadge(days), repositories: [repository.fullName] };
}

function fullNameOf({ owner = '', name = '' }: PathValues): string {
  return `${owner}/${name}`;
}
