import type { Instant } from '../../domain/shared/instant.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { Incident } from '../../domain/status/incident.js';
import type { Window } from '../../domain/status/status-day.js';
import type { IncidentReader } from '../../ports/incident-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import { started } from '../shared/started.js';
import { latestVisible } from '../shared/visibility.js';

const PAGE = 100;
const MOST_PAGES = 10;

/**
 * The incidents of a service that may fall into a window, newest first: those that began in it, the newest that began before it, and all that are not resolved.
 * `null` if they cannot be read.
 */
export async function incidentsOfService(
  incidents: IncidentReader,
  service: string,
  { from, to }: Window,
  now: Instant,
  context: ReadContext,
): Promise<readonly Incident[] | null> {
  const notAfter = latestVisible(now);
  try {
    const [open, listed] = await Promise.all([started(() => incidents.unresolved(notAfter, context)), listedUntil()]);
    const known = new Set(listed.map(({ id }) => id));
    return [...open.filter(({ id }) => !known.has(id)), ...listed].sort((a, b) => b.startedAt - a.startedAt);
  } catch {
    return null;
  }

  async function listedUntil(): Promise<readonly Incident[]> {
    const found: Incident[] = [];
    let after: TimePosition | null = null;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { limit: PAGE, after, from: null, to, state: null, service, covers: null, notAfter };
      const { items, next } = await incidents.list(query, context);
      found.push(...items);
      after = next;
      if (after === null || after.time < from) break;
    }
    return found;
  }
}
