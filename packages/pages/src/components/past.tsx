import { DAY, startOfDay, type Incident, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { groupedBy } from './entry-list.js';
import { IncidentEntry } from './incidents.js';

interface PastProps {
  /** Newest first. */
  readonly incidents: readonly Incident[];
  /** The newest day that the list speaks about; `null`: it says nothing of days without incidents. */
  readonly until: Instant | null;
}

/** Incidents by day, with the quiet days between them as one line. */
export function PastIncidents({ incidents, until }: PastProps) {
  const { t, format } = useView();
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  const days = groupedBy(incidents, ({ startedAt }) => startOfDay(startedAt));
  return (
    <div class="days">
      {days.map(({ first, all }, index) => {
        const day = startOfDay(first.startedAt);
        const before = index === 0 ? until : startOfDay(days[index - 1]?.first.startedAt ?? day);
        return (
          <>
            <Quiet from={day + DAY} to={before === null ? day : index === 0 ? before : before - DAY} />
            <section key={first.id}>
              <h3>
                <time dateTime={format.isoDay(day)}>{format.monthDay(day)}</time>
              </h3>
              <div>
                {all.map((incident) => (
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

/** The days from the first to the last, both included; nothing for none. */
function Quiet({ from, to }: { readonly from: Instant; readonly to: Instant }) {
  const view = useView();
  const count = Math.round((to - from) / DAY) + 1;
  if (count < 1) return null;
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
