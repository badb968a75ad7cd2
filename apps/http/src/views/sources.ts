import { SECOND, SOURCE_STATES, SOURCE_TYPES, SYNCED_KINDS } from '@vitrine/core';
import { idCodec } from './shared/cursors.js';
import { listRoute, PlainPageQuery } from './shared/lists.js';
import { pageOf, readList } from './shared/page.js';
import { getStatusRoute } from './status.js';
import { closed, from, instant, integer, list, named, nullable, open, ownProvenance, text } from './shared/schema.js';

const PATH = '/api/v1/sources';

export const sourceSchema = named('Source', 'Something that records come from, with how current it is.', {
  id: text('Stable id: `type:owner/name`, `type:service-key` or `type:label`.', 'git:acme/widget'),
  sourceType: open('What kind of source it is.', SOURCE_TYPES, 'git'),
  label: text('Human label.', 'acme/widget'),
  feeds: list('The kinds of records that it brings.', open('A kind of record.', SYNCED_KINDS, 'commit')),
  repository: nullable(text('`owner/name` of the repository that it feeds; `null` when none in particular.', 'acme/widget')),
  service: nullable(text('Key of the service that it checks; `null` when none.', 'acme:widget-api'), null),
  state: closed(
    '`pending`: no run has ended yet. `failing`: the last run failed. `late`: no run has completed for more than twice the interval, and two minutes; or the last one is dated in the future by more than the interval, and two minutes. `fresh`: none of these.',
    SOURCE_STATES,
    'fresh',
  ),
  lastSuccessAt: nullable(instant('Start of the last run that completed; `null` before the first.', '2026-11-20T13:58:02.114Z')),
  lastAttemptAt: nullable(instant('Start of the last run that ended; `null` before the first.', '2026-11-20T13:58:02.114Z')),
  intervalSeconds: {
    ...from('intervalMs', integer('Time from one run to the next, in seconds.', 300)),
    write: (milliseconds) => Math.round(Number(milliseconds) / SECOND),
  },
  provenance: ownProvenance(PATH, 'Vitrine itself is the origin of the state of its sources.'),
});

export const listSourcesRoute = listRoute({
  id: 'listSources',
  path: PATH,
  tag: 'Sources',
  summary: 'List sources',
  description:
    'The sources of approved repositories and of none, by `id`, each with its state. An answer is as fresh as the worst source that feeds it.',
  query: PlainPageQuery,
  schema: sourceSchema,
  shows: ['sync'],
  cache: 'live',
  codec: idCodec,
  execute: (page, call, { useCases }) => useCases.listSources.execute(page, call.context()),
});

export const aboutPage = pageOf(
  listSourcesRoute,
  {
    read: async (call, parts, context) => {
      const [{ items, address }, status] = await Promise.all([
        readList(listSourcesRoute, call, context),
        parts.read('status', (signal) => context.useCases.getStatus.execute({}, { signal })),
      ]);
      const rated = status?.services.filter(({ uptimePercent }) => uptimePercent !== null) ?? [];
      // A service that has failed shows more of the computation.
      const example = rated.find(({ uptimePercent }) => uptimePercent !== 100) ?? rated[0] ?? null;
      const found = { sources: items, example, address };
      // The list of sources is current even if sources are late, and the example only needs to be readable.
      return status === null ? { ...found, dataStatus: 'partial' as const } : { ...found, dataStatus: 'fresh' as const, warnings: [] };
    },
    draw: (pages) => pages.about,
    shows: ({ sources }) => sources,
  },
  { path: '/about', shows: [...listSourcesRoute.shows, ...getStatusRoute.shows] },
);
