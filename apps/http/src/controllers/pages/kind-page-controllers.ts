import type { GetRecord, ListFilters, ListRecords, PlainKind, RecordOf, ScopedListInput, UseCases, ViewOf } from '@vitrine/core';
import type { ListData, RecordData } from '@vitrine/pages';
import type { Endpoint } from '../../http/endpoint.js';
import { timeCodec } from '../../http/position-codecs.js';
import type { PageQuery, TimeRange } from '../../requests/query.js';
import { pageRoutes, type PageRoute } from '../../routes/page-routes.js';
import { commitOf } from '../commit-of.js';
import { listPageEndpoint } from './list-page-endpoint.js';
import type { PageContext } from './page-context.js';
import { recordPageEndpoint } from './record-page-endpoint.js';

interface KindQuery<Kind extends PlainKind> extends PageQuery {
  filters(): Pick<ScopedListInput, 'repository'> & ListFilters<Kind> & Partial<TimeRange>;
}

interface KindPages<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly list: readonly [PageRoute<Q>, ListRecords<Kind>, (data: ListData<ViewOf<RecordOf<Kind>>>) => Promise<string>];
  readonly record: readonly [PageRoute, GetRecord<Kind>, (data: RecordData<ViewOf<RecordOf<Kind>>>) => Promise<string>];
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
    recordPageEndpoint(recordRoute, context, ({ params, context: own }) => getRecord.execute({ id: params['id'] ?? '' }, own()), renderRecord),
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
      record: [pageRoutes.release, useCases.getRelease, pages.release],
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

function commitPages(context: PageContext): readonly Endpoint[] {
  const { listCommits, getCommit }: UseCases = context.useCases;
  return [
    listPageEndpoint(pageRoutes.commits, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listCommits.execute({ ...query.filters(), ...page }, own()),
      render: context.pages.commits,
    }),
    recordPageEndpoint(pageRoutes.commit, context, (call) => getCommit.execute(commitOf(call), call.context()), context.pages.commit),
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
    recordPageEndpoint(
      pageRoutes.newsRecord,
      context,
      ({ params, signal }) => getNews.execute({ id: params['id'] ?? '' }, { signal }),
      context.pages.newsRecord,
    ),
  ];
}
