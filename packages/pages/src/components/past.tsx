import { DAY, startOfDay, type Incident, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { groupedBy } from './entry-list.js';
import { IncidentEntry } from './incidents.js';

interface PastProps {
  /** Newest first. */
  readonly incidents: readonly Incident[];
  /** Further ones that may last on the days between, and are shown elsewhere. */
  readonly lasting?: readonly Incident[];
  /** Until when there are no other incidents; `null`: that is not known. */
  readonly until: Instant | null;
  /** Whether days without incidents are counted. Default: they are. A list of some incidents must not say so. */
  readonly hasQuiet?: boolean;
}

/** Incidents by day, with the quiet days between them as one line. */
export function PastIncidents({ incidents, lasting = [], until, hasQuiet = true }: PastProps) {
  const { t, format } = useView();
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  const all = [...incidents, ...lasting];
  const days = groupedBy(incidents, ({ startedAt }) => startOfDay(startedAt));
  const end = until === null ? null : startOfDay(until) + DAY;
  return (
    <div class="days">
      {days.map((group, index) => {
        const day = startOfDay(group.first.startedAt);
        const newer = days[index - 1];
        const before = newer === undefined ? end : startOfDay(newer.first.startedAt);
        return (
          <>
            {!hasQuiet || before === null ? null : <Quiet {...quietBetween(day, before, all)} />}
            <section key={group.first.id}>
              <h3>
                <time dateTime={format.isoDay(day)}>{format.monthDay(day)}</time>
              </h3>
              <div>
                {group.all.map((incident) => (
                  <IncidentEntry key={incident.id} incident={incident} />
                ))}
              </div>
            </section>
          </>
        );
      })}
    </div>
  );
}

/** The first and the last of the days between two days on which no incident lasts. */
function quietBetween(day: Instant, before: Instant, incidents: readonly Incident[]): { readonly from: Instant; readonly to: Instant } {
  const older = incidents.filter(({ startedAt }) => startedAt < day + DAY);
  const newer = incidents.filter(({ startedAt }) => startedAt >= day + DAY);
  const ends = older.map(({ startedAt, resolvedAt }) => (resolvedAt === null ? Infinity : startOfDay(Math.max(startedAt, resolvedAt))));
  return {
    from: Math.max(...ends) + DAY,
    to: Math.min(before, ...newer.map(({ startedAt }) => startOfDay(startedAt))) - DAY,
  };
}

/** The days from the first to the last, both included; nothing for none. */
function Quiet({ from, to }: { readonly from: Instant; readonly to: Instant }) {
  const view = useView();
  if (to < from) return null;
  const count = (to - from) / DAY + 1;
  return (
    <section>
      <h3>{rangeOf(from, to, view)}</h3>
      <p class="soft">{view.t.incident.quiet(count, view.format.number(count))}</p>
    </section>
  );
}

function rangeOf(from: Instant, to: Instant, { format }: View): string {
  return from === to ? format.monthDay(from) : format.dayRange(from, to);
}
