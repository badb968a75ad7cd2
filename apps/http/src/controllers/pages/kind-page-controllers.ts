import type {
  Commit,
  GetRecord,
  ListFilters,
  ListRecords,
  News,
  PlainKind,
  RecordOf,
  Release,
  ScopedListInput,
  UseCases,
  ViewOf,
  WithRepository,
} from '@vitrine/core';
import type { ListData, RecordData } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import { timeCodec } from '../../serving/cursor.js';
import type { PageQuery, Query, TimeRange } from '../../requests/query.js';
import { pageRoutes, type PageRoute } from '../../routes/page-routes.js';
import type { Call } from '../api-endpoint.js';
import { commitOf } from '../commit-of.js';
import { ANY } from './any-filter.js';
import { listPageEndpoint } from './list-page-endpoint.js';
import type { PageContext } from './page-context.js';
import type { PageParts } from './page-parts.js';
import { neighboursIn, recordPageEndpoint } from './record-page-endpoint.js';

const SHOWN_COMMITS = 20;

interface KindQuery<Kind extends PlainKind> extends PageQuery {
  filters(): Pick<ScopedListInput, 'repository'> & ListFilters<Kind> & Partial<TimeRange>;
}

interface KindPages<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly list: readonly [PageRoute<Q>, ListRecords<Kind>, (data: ListData<ViewOf<RecordOf<Kind>>>) => Promise<string>];
  readonly record: readonly [
    PageRoute,
    GetRecord<Kind>,
    (data: RecordData<ViewOf<RecordOf<Kind>>>, parts: PageParts, call: Call<Query>) => Promise<string>,
  ];
}

/** The list of a kind, and one record of it. */
function kindPages<Kind extends PlainKind, Q extends KindQuery<Kind>>(
  context: PageContext,
  { list, record }: KindPages<Kind, Q>,
): readonly Endpoint[] {
  const [listRoute, listRecords, renderList] = list;
  const [recordRoute, getRecord, renderRecord] = record;
  return [
    listPageEndpoint(listRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listRecords.execute({ from: null, to: null, ...query.filters(), ...page }, own()),
      render: renderList,
    }),
    recordPageEndpoint(recordRoute, context, {
      execute: ({ params, context: own }) => getRecord.execute({ id: params['id'] ?? '' }, own()),
      listOf: ({ record, repository }, call) =>
        neighboursIn(
          record,
          (item: ViewOf<RecordOf<Kind>>) => item.record,
          (signal) => (page) => listRecords.execute({ ...ANY, ...page, repository: repository?.fullName ?? null }, { ...call.context(), signal }),
        ),
      render: renderRecord,
    }),
  ];
}

/** The lists of records, and a page for each record. */
export function kindPageControllers(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return [
    ...commitPages(context),
    ...newsPages(context),
    ...kindPages(context, {
      list: [pageRoutes.releases, useCases.listReleases, pages.releases],
      record: [pageRoutes.release, useCases.getRelease, (data, parts, call) => releasePage(context, data, parts, call)],
    }),
    ...kindPages(context, {
      list: [pageRoutes.findings, useCases.listFindings, pages.findings],
      record: [pageRoutes.finding, useCases.getFinding, pages.finding],
    }),
    ...kindPages(context, {
      list: [pageRoutes.missions, useCases.listMissions, pages.missions],
      record: [pageRoutes.mission, useCases.getMission, pages.mission],
    }),
    ...kindPages(context, {
      list: [pageRoutes.articles, useCases.listArticles, pages.articles],
      record: [pageRoutes.article, useCases.getArticle, pages.article],
    }),
    ...kindPages(context, {
      list: [pageRoutes.videos, useCases.listVideos, pages.videos],
      record: [pageRoutes.video, useCases.getVideo, pages.video],
    }),
  ];
}

/** A release with the commits since the one before it, by the times of both. */
async function releasePage(
  { useCases, pages }: PageContext,
  data: RecordData<WithRepository<Release>>,
  parts: PageParts,
  call: Call<Query>,
): Promise<string> {
  const before = data.around?.older ?? null;
  if (before === null) return pages.release({ ...data, commits: null });
  const { record, repository } = data.item;
  const range = { from: before.record.publishedAt + 1, to: record.publishedAt };
  const commits = await parts.read('commit', (signal) =>
    useCases.listCommits.execute(
      { ...ANY, ...range, limit: SHOWN_COMMITS, after: null, repository: repository.fullName },
      { ...call.context(), signal },
    ),
  );
  return pages.release({ ...data, ...parts.currency, commits });
}

function commitPages(context: PageContext): readonly Endpoint[] {
  const { listCommits, getCommit }: UseCases = context.useCases;
  return [
    listPageEndpoint(pageRoutes.commits, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listCommits.execute({ ...query.filters(), ...page }, own()),
      render: context.pages.commits,
    }),
    recordPageEndpoint(pageRoutes.commit, context, {
      execute: (call) => getCommit.execute(commitOf(call), call.context()),
      listOf: ({ record, repository: { fullName } }, call) =>
        neighboursIn(
          record,
          (item: WithRepository<Commit>) => item.record,
          (signal) => (page) => listCommits.execute({ ...ANY, ...page, repository: fullName }, { ...call.context(), signal }),
        ),
      render: context.pages.commit,
    }),
  ];
}

function newsPages(context: PageContext): readonly Endpoint[] {
  const { listNews, getNews }: UseCases = context.useCases;
  return [
    listPageEndpoint(pageRoutes.news, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => listNews.execute({ ...query.filters(), ...page }, { signal }),
      render: context.pages.news,
    }),
    recordPageEndpoint(pageRoutes.newsRecord, context, {
      execute: ({ params, signal }) => getNews.execute({ id: params['id'] ?? '' }, { signal }),
      listOf: (record) =>
        neighboursIn(
          record,
          (item: News) => item,
          (signal) => (page) => listNews.execute({ ...page, source: null }, { signal }),
        ),
      render: context.pages.newsRecord,
    }),
  ];
}
