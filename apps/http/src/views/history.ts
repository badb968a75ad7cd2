import { serviceJudgedAgain, type ServiceStatus, UPTIME_WINDOWS } from '@vitrine/core';
import { incidentEntry, maintenanceCalendar } from '@vitrine/feeds';
import { feedTitle, serviceName } from '@vitrine/pages';
import { incidents } from './incidents.js';
import type { ListInput } from './kind-parts.js';
import { readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { readPage } from './shared/lists.js';
import { feedsOf } from './shared/feed.js';
import { filtersOf, pageOf, type PageParts } from './shared/page.js';
import { questionsOf } from './shared/parse-query.js';
import { type Call, documentOf, type PageContext, STATUS_KINDS } from './shared/route.js';

const YEAR_DAYS = UPTIME_WINDOWS['365d'] + 1;
const filters = filtersOf(incidents.list.query);

export const historyPage = pageOf(
  incidents.list,
  {
    read: async (call, parts, context) => {
      const isFirst = call.query.cursor === undefined;
      const [{ items, nextCursor, older }, found] = await Promise.all([
        readIncidents(context, call, parts),
        readBoard(context, call, parts, isFirst ? YEAR_DAYS : 1),
      ]);
      const [board, all, sample] = [isFirst && found !== null ? found.board : null, found?.all ?? [], found?.named ?? []];
      const byName = new Intl.Collator(context.language, { numeric: true });
      const services = all.map((service) => ({ value: service.key, label: serviceName(service) }));
      const known = { service: services.sort((a, b) => byName.compare(a.label, b.label)) };
      return { items, address: call.addressOf(nextCursor), board, older, filters: filters(call.query), known, sample };
    },
    draw: (pages) => pages.history,
    again: (pages, data, now) =>
      pages.again.history({ ...data, board: data.board === null ? null : { ...data.board, services: judgedAgain(data.board.services, now) } }),
  },
  { path: '/status/history', shows: STATUS_KINDS },
);

const MOST_OLDER = 100;

/** The incidents of further pages may last on the days of this one. `older` is `null` if these are not all known. */
async function readIncidents(context: PageContext, call: Parameters<typeof incidents.list.execute>[1], parts: PageParts) {
  const { list } = incidents;
  const page = await parts.need(async (signal) => {
    const { answer, nextCursor } = await readPage(list.id, list, { ...call, signal }, context);
    return { ...answer, data: { ...answer.data, nextCursor } };
  });
  if (page.next === null) return { ...page, older: [] };
  const after = page.next;
  const further = await parts.read('incident', (signal) => list.execute({ limit: MOST_OLDER, after }, { ...call, signal }, context));
  return { ...page, older: further?.next === null ? further.items : null };
}

/** All services, and those that the filter selects with their last days; `null` if they cannot be read. */
async function readBoard(context: PageContext, { query }: Call<{ readonly service?: string }>, parts: PageParts, days: number) {
  const [read, named] = await Promise.all([parts.read('status', statusWithDays(context, days)), readNamed(context, parts)]);
  if (read === null) return null;
  const { services: all } = read.status;
  const services = all.filter(({ key }) => query.service === undefined || key === query.service);
  return { all, named, board: { services, days: stripsOf(read, named).days } };
}

function judgedAgain(services: readonly ServiceStatus[], now: number): readonly ServiceStatus[] {
  return services.map((service) => serviceJudgedAgain(service, now));
}

export const incidentFeeds = feedsOf('incidents', historyPage, incidentEntry);

const LENGTH = 100;
const CALENDAR = '/feeds/maintenance.ics';
const addressOf = questionsOf({ ...incidents.list, path: CALENDAR });

/** Planned maintenance of all services, or of one, as a calendar. */
export const maintenanceRoute = documentOf(incidents.list, {
  path: CALENDAR,
  type: 'text/calendar; charset=utf-8',
  ignores: ['limit', 'cursor', 'state'],
  answer: async ({ query, params, signal }, { useCases, title, language, publicUrl, entryLinks }) => {
    const { data, ...answer } = await useCases.listIncidents.execute(
      { ...(query.filters() as ListInput<'incident'>), kind: 'maintenance', limit: LENGTH, after: null },
      { signal },
    );
    const url = publicUrl + addressOf(query, params).address.target;
    const calendar = { title: feedTitle(title, 'maintenance', language, filters(query)), language, url, maintenance: data.items };
    return { ...answer, text: maintenanceCalendar(calendar, entryLinks) };
  },
});
