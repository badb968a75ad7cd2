import { serviceJudgedAgain, statusJudgedAgain, type UseCases } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { periodCodec, timeCodec } from '../serving/cursor.js';
import { timeRange } from '../requests/query.js';
import { routes } from '../routes/table.js';
import { apiEndpoint, type ControllerContext } from './api-endpoint.js';
import { listController, pageReply } from './list-controller.js';
import { recordController } from './record-controller.js';

export function statusControllers(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const { present } = context;
  return [
    recordController(
      routes.getStatus,
      context,
      (_params, { signal }) => useCases.getStatus.execute({}, { signal }),
      (overview, { generatedAt = 0 }) => present.status(overview, generatedAt),
      statusJudgedAgain,
    ),
    recordController(
      routes.getService,
      context,
      ({ key = '' }, { signal }) => useCases.getService.execute({ key }, { signal }),
      present.service,
      serviceJudgedAgain,
    ),
    historyController(useCases, context),
    listController(routes.listIncidents, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => useCases.listIncidents.execute({ ...query.filters(), ...page }, { signal }),
      present: present.incident,
    }),
    recordController(routes.getIncident, context, ({ id = '' }, { signal }) => useCases.getIncident.execute({ id }, { signal }), present.incident),
  ];
}

/** Three lists behind one address: the granularity chooses, and cursors are bound to it. */
function historyController({ listServiceChecks, listServiceDays, listServiceHours }: UseCases, context: ControllerContext): Endpoint {
  const route = routes.getServiceHistory;
  return apiEndpoint(route, context, (call) => {
    const { query, params, signal } = call;
    const input = { key: params['key'] ?? '', ...timeRange(query) };
    const { present } = context;
    switch (query.unit()) {
      case 'day':
        return pageReply(
          route,
          { codec: periodCodec, execute: (page) => listServiceDays.execute({ ...input, ...page }, { signal }), present: present.day },
          call,
        );
      case 'hour':
        return pageReply(
          route,
          { codec: periodCodec, execute: (page) => listServiceHours.execute({ ...input, ...page }, { signal }), present: present.hour },
          call,
        );
      case 'check':
        return pageReply(
          route,
          { codec: timeCodec, execute: (page) => listServiceChecks.execute({ ...input, ...page }, { signal }), present: present.check },
          call,
        );
    }
  });
}
