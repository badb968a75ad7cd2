import { outcomeOf } from './shared/endpoint.js';
import { Query, RepositoryFilter } from './shared/parameters.js';
import { FromDay, timeRange, ToDay } from './shared/time-range.js';
import { apiRoute } from './shared/route.js';
import { date, from, integer, named } from './shared/schema.js';

export const activityDaySchema = named('ActivityDay', 'The commits and releases of one UTC day.', {
  date: from('day', date('The day, in UTC.', '2026-11-20')),
  commits: integer('Commits with their `committedAt` on this day; on the present day, those so far.', 12),
  releases: integer('Releases with their `publishedAt` on this day; on the present day, those so far.', 1),
});

class ListActivityQuery extends Query {
  @RepositoryFilter() readonly repository?: string;
  @FromDay('365 days are listed; at most 366 can be asked for') readonly from?: string;
  @ToDay() readonly to?: string;
}

export const listActivityRoute = apiRoute({
  id: 'listActivity',
  path: '/api/v1/development/activity',
  tag: 'Development',
  summary: 'List activity by day',
  description:
    'How many commits and releases approved repositories have on each UTC day, oldest first, every day listed. Commits count by `committedAt`, releases by `publishedAt`.',
  query: ListActivityQuery,
  schema: activityDaySchema,
  shows: ['commit', 'release'],
  // All days at once: there are at most 366.
  data: 'list',
  answer: async ({ query, context }, { useCases, links }) => {
    const answer = await useCases.listActivity.execute({ repository: query.repository ?? null, ...timeRange(query) }, context());
    return outcomeOf(
      answer,
      answer.data.map((day) => activityDaySchema.write(day, links)),
    );
  },
});
