import { NotFoundError } from '../../kinds/domain-error.js';
import type { Incident } from '../../kinds/incident.js';
import { LATEST_INSTANT, type Instant } from '../../kinds/instant.js';
import type { Page, TimePosition } from '../../kinds/page.js';
import type { Window } from '../../kinds/status-day.js';
import type { IncidentReader, ListFilters, ReadContext } from '../../ports/readers.js';
import type { Clock } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { isVisible, latestVisible, started, type ComposedAnswer, type FreshnessJudge } from '../shared/answer.js';
import { NEWEST_PAGE, rangeOf, type IdInput, type TimeListInput } from '../shared/records.js';
import { byId, filtersOf, timeList, withoutPermission } from '../shared/arguments.js';

const PAGE = 100;
const MOST_PAGES = 10;

/** The incidents of a service that may fall into a window, newest first: those of it, the newest before it, and all unresolved. `null` if they cannot be read. */
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
      const query = { limit: PAGE, after, from: null, to, state: null, service, covers: null, kind: null, notAfter };
      const { items, next } = await incidents.list(query, context);
      found.push(...items);
      after = next;
      if (after === null || after.time < from) break;
    }
    return found;
  }
}

export class GetIncident {
  readonly takes = withoutPermission<IdInput>(byId);

  constructor(
    private readonly incidents: IncidentReader,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: IdInput, context: ReadContext): Promise<ComposedAnswer<Incident>> {
    const now = this.clock.now();
    const [data, freshness] = await Promise.all([this.incidents.byId(id, context), this.freshness.of('incident', EVERY_SOURCE, context)]);
    if (data === null || !isVisible(data, now)) throw new NotFoundError();
    return { data, ...freshness, generatedAt: now };
  }
}

/** The filter `service` is a service key, and `covers` the id of a detected incident: only incidents that cover it. */
export type ListIncidentsInput = TimeListInput & ListFilters<'incident'>;

/** Incidents and planned maintenance, newest first. */
export class ListIncidents {
  readonly takes = withoutPermission<ListIncidentsInput>({ ...timeList, ...filtersOf('incident') });

  constructor(
    private readonly incidents: IncidentReader,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async execute(input: Partial<ListIncidentsInput>, context: ReadContext): Promise<ComposedAnswer<Page<Incident, TimePosition>>> {
    const now = this.clock.now();
    const { state = null, service = null, covers = null, kind = null, ...page } = input;
    const query = { ...rangeOf({ ...NEWEST_PAGE, ...page }, LATEST_INSTANT), state, service, covers, kind, notAfter: latestVisible(now) };
    const [data, freshness] = await Promise.all([
      this.incidents.list(query, context),
      this.freshness.of('incident', typeof service === 'string' ? { serviceKey: service } : EVERY_SOURCE, context),
    ]);
    return { data, ...freshness, generatedAt: now };
  }
}
