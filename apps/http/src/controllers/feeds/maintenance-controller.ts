import type { IncidentState } from '@vitrine/core';
import { maintenanceCalendar } from '@vitrine/feeds';
import type { Endpoint } from '../../serving/router.js';
import { maintenanceRoute } from '../../routes/feed-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import { PageParts } from '../pages/page-parts.js';
import { entryLinks } from './entry-links.js';
import type { FeedContext } from './feed-context.js';

/** The states of planned maintenance. Each state is queried separately, so that other incidents cannot fill the page. */
const STATES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const satisfies readonly IncidentState[];

/** How many events of each state are read, newest first. */
const LENGTH = 50;

/** Planned maintenance of all services, or of one, as a calendar. */
export function maintenanceController(context: FeedContext): Endpoint {
  const { documents, useCases, deadlines, title, publicUrl } = context;
  return documentEndpoint(maintenanceRoute, documents, async ({ query, signal }) => {
    const parts = new PageParts(deadlines, signal);
    const pages = await Promise.all(
      STATES.map((state) =>
        parts.need((own) => useCases.listIncidents.execute({ ...query.filters(), state, limit: LENGTH, after: null }, { signal: own })),
      ),
    );
    const maintenance = pages.flatMap(({ items }) => items).filter(({ incidentKind }) => incidentKind === 'maintenance');
    const calendar = { title: `${title}: maintenance`, url: publicUrl() + maintenanceRoute.path, maintenance };
    return { ...parts.currency, changesAt: parts.changesAt, text: maintenanceCalendar(calendar, entryLinks(context)), repositories: [] };
  });
}
