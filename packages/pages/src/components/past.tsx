import { DAY, type Incident, type Instant } from '@vitrine/core';
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

/** Incidents by the day of the time zone of the site, with the quiet days between them as one line. */
export function PastIncidents({ incidents, lasting = [], until, hasQuiet = true }: PastProps) {
  const { t, format, now } = useView();
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  const spans = [...incidents, ...lasting].map(({ startedAt, resolvedAt }) => ({
    first: format.dayOf(startedAt),
    // One that ended at midnight did not last on the day that began then.
    last: resolvedAt === null ? Infinity : format.dayOf(Math.max(startedAt, resolvedAt - 1)),
  }));
  const days = groupedBy(incidents, ({ startedAt }) => format.dayOf(startedAt));
  const end = until === null ? null : format.dayOf(until) + DAY;
  return (
    <div class="days">
      {days.map((group, index) => {
        const day = format.dayOf(group.first.startedAt);
        const newer = days[index - 1];
        const before = newer === undefined ? end : format.dayOf(newer.first.startedAt);
        return (
          <>
            {!hasQuiet || before === null ? null : <Quiet {...quietBetween(day, before, spans)} />}
            <section key={group.first.id}>
              <h3>
                <time dateTime={format.isoDay(day)}>{format.dayOfYear(day, now)}</time>
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

/** The days of an incident. */
interface Span {
  readonly first: Instant;
  readonly last: number;
}

/** The first and the last of the days between two days on which no incident lasts. */
function quietBetween(day: Instant, before: Instant, spans: readonly Span[]): { readonly from: Instant; readonly to: Instant } {
  const older = spans.filter(({ first }) => first <= day);
  const newer = spans.filter(({ first }) => first > day);
  return {
    from: Math.max(...older.map(({ last }) => last)) + DAY,
    to: Math.min(before, ...newer.map(({ first }) => first)) - DAY,
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

function rangeOf(from: Instant, to: Instant, { format, now }: View): string {
  return from === to ? format.dayOfYear(from, now) : format.dayRange(from, to, now);
}
