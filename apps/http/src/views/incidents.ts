import { INCIDENT_STATES, isUnresolved, MAINTENANCE_STATES, neighboursOf, positionOf, serviceJudgedAgain, UPTIME_WINDOWS } from '@vitrine/core';
import type { Incident, Neighbours, ServiceStatus, UseCases } from '@vitrine/core';
import type { ListInput } from './kind-parts.js';
import { KindView } from './kind-view.js';
import { timeCodec } from './shared/cursors.js';
import { listRoute, PageQuery, readPage } from './shared/lists.js';
import { type Call, documentOf, type PageContext, STATUS_ANSWER, STATUS_KINDS } from './shared/route.js';
import { TextFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { From, To } from './shared/time-range.js';
import { incidentEntry, maintenanceCalendar } from '@vitrine/feeds';
import { feedTitle, serviceName } from '@vitrine/pages';
import { readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { feedsOf } from './shared/feed.js';
import { questionsOf } from './shared/parse-query.js';
import { filtersOf, foundOrNull, pageOf, PageParts } from './shared/page.js';

class ListIncidentsQuery extends PageQuery {
  @ValuesFilter('Only incidents in this state; `open`: in any that is not resolved, postmortem or completed.', {
    values: INCIDENT_STATES,
    example: 'open',
    short: { open: INCIDENT_STATES.filter((state) => isUnresolved({ state })) },
  })
  readonly state?: readonly string[];
  @WordFilter('Only incidents that concern this service, by its key.', 'acme:widget-api') readonly service?: string;
  @TextFilter('Only incidents that cover this detected incident, by its id.', 'detected:acme:widget-api:20261120T135500Z') readonly covers?: string;
  @From('startedAt') readonly from?: string;
  @To('startedAt') readonly to?: string;
}

export const incidents = new KindView({
  kind: 'incident',
  path: '/api/v1/status/incidents',
  tag: 'Status',
  description: 'A disturbance of services, or planned work on them.',
  route: { isComposed: true, cache: 'live' },
  list: { description: 'Incidents and planned maintenance, newest first by `startedAt`.', query: ListIncidentsQuery },
  get: {
    summary: 'Get an incident',
    description: 'One incident.',
    example: 'inc_2026-11-20-errors',
  },
  pages: {
    record: (pages) => pages.incident,
    shows: ['service'],
    more: async ({ item, around }, parts, _call, { useCases }) => {
      const services = parts.readQuietly<readonly ServiceStatus[] | null>(
        null,
        async (signal) => (await useCases.getStatus.execute({}, { signal })).data.services,
      );
      return {
        related: (await parts.readAside('incident', (signal) => relatedTo(item, useCases, signal))) ?? [],
        reason: await parts.readAside('check', (signal) => reasonOf(item, useCases, signal)),
        around: around && (await parts.readAside('incident', (signal) => listedAround(around, useCases, signal))),
        served: (await services)?.map(({ key }) => key) ?? null,
      };
    },
  },
});

class ListMaintenanceQuery extends PageQuery {
  @ValuesFilter('Only maintenance in this state; `open`: in any but completed.', {
    values: MAINTENANCE_STATES,
    example: 'scheduled',
    short: { open: MAINTENANCE_STATES.filter((state) => isUnresolved({ state })) },
  })
  readonly state?: readonly string[];
  @WordFilter('Only maintenance of this service, by its key.', 'acme:widget-api') readonly service?: string;
  @From('startedAt') readonly from?: string;
  @To('startedAt') readonly to?: string;
}

export const listMaintenanceRoute = listRoute({
  id: 'listMaintenance',
  path: '/api/v1/status/maintenance',
  ...STATUS_ANSWER,
  summary: 'List maintenance',
  description: 'Planned maintenance, newest first by `startedAt`, so that what is planned comes before what is over. It is among the incidents, too.',
  query: ListMaintenanceQuery,
  schema: incidents.schema,
  shows: ['incident'],
  codec: timeCodec,
  execute: (page, { query, signal }, { useCases }) =>
    useCases.listIncidents.execute({ ...(query.filters() as ListInput<'incident'>), ...page, kind: 'maintenance' }, { signal }),
});

const MOST_RELATED = 20;
const MOST_SKIPPED = 20;

/** The pages leave out a detected incident that a declared one covers, so what is beyond it is beside the record. */
async function listedAround({ older, newer }: Neighbours<Incident>, useCases: UseCases, signal: AbortSignal): Promise<Neighbours<Incident>> {
  const listed = await Promise.all([firstListed('older', older, useCases, signal), firstListed('newer', newer, useCases, signal)]);
  return { older: listed[0], newer: listed[1] };
}

async function firstListed(
  side: keyof Neighbours<Incident>,
  beside: Incident | null,
  { listIncidents }: UseCases,
  signal: AbortSignal,
): Promise<Incident | null> {
  let candidate = beside;
  for (let skipped = 0; candidate !== null && skipped < MOST_SKIPPED; skipped++) {
    if (candidate.incidentKind !== 'detected') return candidate;
    const { data } = await listIncidents.execute({ covers: candidate.id, limit: 1 }, { signal });
    if (data.items.length === 0) return candidate;
    candidate = (await neighboursOf(positionOf(candidate), positionOf, (page) => listIncidents.execute(page, { signal })))[side];
  }
  return null;
}

/** Raw checks of several sources can have the same time. */
const MOST_CHECKS = 10;

/** What the check found that detected an incident. An incident begins with that check, which may have been deleted since. */
async function reasonOf({ incidentKind, services, startedAt }: Incident, { listServiceChecks }: UseCases, signal: AbortSignal) {
  const [service] = services;
  if (incidentKind !== 'detected' || service === undefined) return null;
  const page = { key: service.key, from: startedAt, to: startedAt + 1, limit: MOST_CHECKS };
  // The service may have left the configuration.
  const checks = await foundOrNull(listServiceChecks.execute(page, { signal }));
  const first = checks?.data.items.find(({ checkedAt, state, rawState }) => checkedAt === startedAt && state === 'outage' && rawState !== state);
  return first?.rawState ?? null;
}

/** A declared incident names the detected ones that it covers; those are read the other way round. */
async function relatedTo({ id, incidentKind, covers = [] }: Incident, { listIncidents, getIncident }: UseCases, signal: AbortSignal) {
  if (incidentKind === 'detected') return (await listIncidents.execute({ covers: id }, { signal })).data.items;
  // One that is gone is not named.
  const found = await Promise.all(covers.slice(0, MOST_RELATED).map((covered) => foundOrNull(getIncident.execute({ id: covered }, { signal }))));
  return found.flatMap((answer) => answer?.data ?? []);
}

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
