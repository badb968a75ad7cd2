import { type Answer, type Instant, type RecordKind, serviceJudgedAgain, type ServiceStatus, statusJudgedAgain } from '@vitrine/core';
import { activityBadge, BADGE_STYLES, badgeJson, badgeSvg, releaseBadge, responseBadge, stateBadge, statusBadge, uptimeBadge } from '@vitrine/feeds';
import type { Badge, BadgeStyle } from '@vitrine/feeds';
import { fullNameOf, getRepositoryRoute } from './repositories.js';
import { getServiceRoute } from './services.js';
import { PageParts } from './shared/page.js';
import { Choice, Query } from './shared/parameters.js';
import { type ApiRoute, type Call, documentOf, type DocumentRoute, type ViewContext } from './shared/route.js';
import { getStatusRoute } from './status.js';

class BadgeQuery extends Query {
  @Choice('How the badge looks.', BADGE_STYLES, BADGE_STYLES[0]) readonly style?: BadgeStyle;
}

interface BadgeFacts extends Omit<Answer<unknown>, 'data'> {
  readonly badge: Badge;
  /** For a badge that depends on the present time: the same badge for a later time. */
  readonly again?: (now: Instant) => Badge;
  readonly shows?: unknown;
}

type ReadBadge = (call: Call<BadgeQuery>, context: ViewContext) => Promise<BadgeFacts>;

const FORMATS = {
  svg: { type: 'image/svg+xml; charset=utf-8', write: badgeSvg },
  json: { type: 'application/json; charset=utf-8', write: badgeJson },
} as const;

function badgesOf(path: string, endpoint: ApiRoute, read: ReadBadge, more: readonly RecordKind[] = []): readonly DocumentRoute<BadgeQuery>[] {
  return Object.entries(FORMATS).map(([format, { type, write }]) =>
    documentOf<BadgeQuery>(
      { ...endpoint, query: BadgeQuery },
      {
        ...{ path: `/badges/${path}.${format}`, type, shows: [...endpoint.shows, ...more] },
        answer: async (call, context) => {
          const { badge, again, ...answer } = await read(call, context);
          const text = (own: Badge): string => write(own, call.query.style);
          return { ...answer, text: text(badge), ...(again !== undefined && { again: (now: Instant) => text(again(now)) }) };
        },
      },
    ),
  );
}

function serviceBadge(badgeOf: (service: ServiceStatus) => Badge): ReadBadge {
  return async ({ params, signal }, { useCases }) => {
    const { data, ...answer } = await useCases.getService.execute({ key: params['key'] ?? '' }, { signal });
    return { ...answer, badge: badgeOf(data), again: (now) => badgeOf(serviceJudgedAgain(data, now)) };
  };
}

const SERVICE = 'services/{key}';
const REPOSITORY = 'repositories/{owner}/{name}';

export const badgeRoutes = {
  status: badgesOf('status', getStatusRoute, async ({ signal }, { useCases }) => {
    const { data, ...answer } = await useCases.getStatus.execute({}, { signal });
    const badge = statusBadge(data.overallState);
    return { ...answer, badge, again: (now) => statusBadge(statusJudgedAgain(data, now).overallState) };
  }),
  state: badgesOf(`${SERVICE}/state`, getServiceRoute, serviceBadge(stateBadge)),
  uptime: badgesOf(`${SERVICE}/uptime`, getServiceRoute, serviceBadge(uptimeBadge)),
  response: badgesOf(`${SERVICE}/response`, getServiceRoute, serviceBadge(responseBadge)),
  release: badgesOf(
    `${REPOSITORY}/release`,
    getRepositoryRoute,
    async ({ params, context }, { useCases }) => {
      const { data, ...answer } = await useCases.getRepository.execute({ fullName: fullNameOf(params) }, context());
      return { ...answer, badge: releaseBadge(data.latestRelease), shows: data };
    },
    ['release'],
  ),
  activity: badgesOf(`${REPOSITORY}/activity`, getRepositoryRoute, readActivity, ['commit', 'release']),
} as const;

/** The repository is read, too: without it, one that is not approved would have a badge, because a list of it is empty. */
async function readActivity({ params, context, signal }: Call<BadgeQuery>, { useCases, deadlines }: ViewContext): Promise<BadgeFacts> {
  const fullName = fullNameOf(params);
  const parts = new PageParts(deadlines, signal);
  const [repository, days] = await Promise.all([
    parts.need(() => useCases.getRepository.execute({ fullName }, context())),
    parts.need(() => useCases.listActivity.execute({ repository: fullName, from: null, to: null }, context())),
  ]);
  return { ...parts.currency, badge: activityBadge(days), shows: repository };
}
