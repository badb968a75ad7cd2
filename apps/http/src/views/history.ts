import { serviceJudgedAgain, type ServiceStatus, UPTIME_WINDOWS } from '@vitrine/core';
import { incidentEntry, maintenanceCalendar } from '@vitrine/feeds';
import type { HistoryData } from '@vitrine/pages';
import { timeCodec } from './shared/lists.js';
import type { Endpoint } from '../serving/router.js';
import { incidents } from './incidents.js';
import type { ListInput } from './kind-parts.js';
import { readNamed, statusWithDays, stripsOf } from './service-strips.js';
import type { Call, ViewContext } from './shared/endpoint.js';
import { documentEndpoint } from './shared/document.js';
import { feedEndpoints, feedsOf } from './shared/feed.js';
import { listReader, type ReadList } from './shared/page-endpoints.js';
import { filtersOf, type PageContext, pageOf, PageParts } from './shared/page.js';
import { documentOf, STATUS_KINDS } from './shared/route.js';

export const historyPageRoute = pageOf(incidents.list, { path: '/status/history', shows: STATUS_KINDS });

/** All dates that the window of a year touches. */
const YEAR_DAYS = UPTIME_WINDOWS['365d'] + 1;

export function historyPageController(context: PageContext): Endpoint {
  const { pages, deadlines } = context;
  const filters = filtersOf(historyPageRoute.query);
  const read = listReader(historyPageRoute, timeCodec, incidents.listed(context));
  return documentEndpoint(historyPageRoute, context, async (call) => {
    const parts = new PageParts(deadlines, call.signal);
    const isFirst = call.query.cursor === undefined;
    const [{ items, address }, found] = await Promise.all([
      parts.need(async (signal) => asAnswer(await read({ ...call, signal }))),
      readBoard(context, call, parts, isFirst ? YEAR_DAYS : 1),
    ]);
    const [board, all] = [isFirst && found !== null ? found.board : null, found?.all ?? []];
    const known = { service: all.map(({ key, displayName }) => ({ value: key, label: displayName.trim() === '' ? key : displayName })) };
    const data: HistoryData = { ...parts.currency, items, address, board, filters: filters(call.query), known, sample: [] };
    return {
      ...parts.currency,
      text: () => pages.history(data),
      again: (now) => pages.again.history({ ...data, board: board === null ? null : { ...board, services: judgedAgain(board.services, now) } }),
    };
  });
}

function asAnswer<Item>({ currency, ...data }: ReadList<Item>) {
  return { ...currency, data };
}

/** All services, and those that the filter selects with their last days; `null` if they cannot be read. */
async function readBoard(context: PageContext, { query }: Call<{ readonly service?: string }>, parts: PageParts, days: number) {
  const [read, named] = await Promise.all([parts.read('status', statusWithDays(context, days)), readNamed(context, parts)]);
  if (read === null) return null;
  const { services: all } = read.status;
  const services = all.filter(({ key }) => query.service === undefined || key === query.service);
  return { all, board: { services, days: stripsOf(read, named).days } };
}

function judgedAgain(services: readonly ServiceStatus[], now: number): readonly ServiceStatus[] {
  return services.map((service) => serviceJudgedAgain(service, now));
}

export const incidentsFeedRoutes = feedsOf('incidents', historyPageRoute);

export const maintenanceRoute = documentOf(incidents.list, {
  path: '/feeds/maintenance.ics',
  type: 'text/calendar; charset=utf-8',
  ignores: ['limit', 'cursor', 'state'],
});

export function incidentFeeds(context: ViewContext): readonly Endpoint[] {
  return feedEndpoints(incidentsFeedRoutes, context, {
    name: 'incidents',
    execute: incidents.listed(context),
    entryOf: incidentEntry,
  });
}

const LENGTH = 100;

/** Planned maintenance of all services, or of one, as a calendar. */
export function maintenanceController(context: ViewContext): Endpoint {
  const { useCases, title, publicUrl } = context;
  return documentEndpoint(maintenanceRoute, context, async ({ query, signal }) => {
    const { data, dataStatus, warnings, changesAt } = await useCases.listIncidents.execute(
      { ...(query.filters() as ListInput<'incident'>), kind: 'maintenance', limit: LENGTH, after: null },
      { signal },
    );
    const calendar = { title: `${title}: maintenance`, url: publicUrl + maintenanceRoute.path, maintenance: data.items };
    return { dataStatus, warnings, changesAt, text: maintenanceCalendar(calendar, context.entryLinks) };
  });
}
