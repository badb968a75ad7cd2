import { serviceJudgedAgain, UPTIME_WINDOWS, type ServiceStatus } from '@vitrine/core';
import type { HistoryData } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import { timeCodec } from '../../serving/cursor.js';
import { pageRoutes } from '../../routes/page-routes.js';
import type { Call } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { listReader, type ReadList } from './list-page-endpoint.js';
import { filtersOf } from './page-addresses.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { readStrips } from './status-page-controllers.js';

/** All dates that the window of a year touches. */
const YEAR_DAYS = UPTIME_WINDOWS['365d'] + 1;

/** The incidents, and on the first page of their list the days of a year. */
export function historyPageController(context: PageContext): Endpoint {
  const { useCases, pages, deadlines } = context;
  const filters = filtersOf(pageRoutes.history.query);
  const read = listReader(pageRoutes.history, timeCodec, (page, { query, signal }) =>
    useCases.listIncidents.execute({ ...query.filters(), ...page }, { signal }),
  );
  return documentEndpoint(pageRoutes.history, context, async (call) => {
    const parts = new PageParts(deadlines, call.signal);
    const [{ items, address }, found] = await Promise.all([
      parts.need(async (signal) => asAnswer(await read({ ...call, signal }))),
      call.query.cursor === undefined ? readBoard(context, call, parts) : null,
    ]);
    const [board, all] = [found?.board ?? null, found?.all ?? []];
    const known = { service: all.map(({ key, displayName }) => ({ value: key, label: displayName.trim() === '' ? key : displayName })) };
    const data: HistoryData = { ...parts.currency, items, address, board, filters: filters(call.query), known };
    return {
      ...parts.currency,
      changesAt: parts.changesAt,
      text: await pages.history(data),
      repositories: [],
      again: (now) => pages.again.history({ ...data, board: board === null ? null : { ...board, services: judgedAgain(board.services, now) } }),
    };
  });
}

function asAnswer<Item>({ currency, changesAt, ...data }: ReadList<Item>) {
  return { ...currency, changesAt, data };
}

/** All services, and those that the filter selects with the days of a year; `null` if they cannot be read. */
async function readBoard({ useCases }: PageContext, { query }: Call<{ readonly service?: string }>, parts: PageParts) {
  const [status, { days }] = await Promise.all([
    parts.read('status', (signal) => useCases.getStatus.execute({}, { signal })),
    readStrips({ useCases }, parts, YEAR_DAYS),
  ]);
  if (status === null) return null;
  const services = status.services.filter(({ key }) => query.service === undefined || key === query.service);
  return { all: status.services, board: { services, days } };
}

function judgedAgain(services: readonly ServiceStatus[], now: number): readonly ServiceStatus[] {
  return services.map((service) => serviceJudgedAgain(service, now));
}
