import { DAY, startOfMonth, type Incident, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { Section } from './blocks.js';
import { groupedBy } from './entry-list.js';
import { IncidentEntry } from './incidents.js';

interface PastProps {
  /** Newest first. */
  readonly incidents: readonly Incident[];
  /** Further ones that may last on the days between, and are shown elsewhere. Maintenance that is only scheduled lasts on no day yet. */
  readonly lasting?: readonly Incident[];
  /** Until when there are no other incidents; `null`: that is not known. */
  readonly until: Instant | null;
  /** The first incident of the next page of the list. The days without incidents down to its day are shown, but it is not. */
  readonly next?: Incident | undefined;
  /** Whether days without incidents are counted. Default: they are. A list of some incidents must not say so. */
  readonly hasQuiet?: boolean;
}

/** A day with incidents, or quiet days without any. */
interface PastDays {
  readonly from: Instant;
  /** The last one. */
  readonly to: Instant;
  readonly incidents: readonly Incident[];
}

interface PastSectionProps extends Pick<PastProps, 'lasting' | 'until'> {
  /** Newest first; `null`: they could not be read, as the notice of the section says. */
  readonly incidents: readonly Incident[] | null;
}

/** The newest incidents by the day of the time zone of the site, with the quiet days between them as one line. */
export function PastSection({ incidents, ...more }: PastSectionProps) {
  const view = useView();
  const { t, links } = view;
  return (
    <Section heading={t.pastIncidents} id="past" more={{ href: links.to('/status/history'), label: t.more.past }} kinds={['incident']}>
      {incidents?.length === 0 ? <p class="soft">{t.incident.none}</p> : null}
      {incidents === null || incidents.length === 0 ? null : <DayList days={daysOf({ incidents, ...more }, view)} />}
    </Section>
  );
}

/** The same by month. Quiet days are below their own months, but whole months without incidents are one section. */
export function PastMonths(props: PastProps) {
  const view = useView();
  const { month } = view.format;
  const nameOf = ({ from, to }: PastDays): string => (month(from) === month(to) ? month(from) : `${month(from)} – ${month(to)}`);
  const days = daysOf(props, view).flatMap((some) => (some.incidents.length === 0 ? splitAtMonths(some) : [some]));
  return (
    <>
      {groupedBy(days, nameOf).map(({ first, all }) => (
        <section key={first.from} class="month">
          <h3>{nameOf(first)}</h3>
          <DayList days={all} />
        </section>
      ))}
    </>
  );
}

/** Those in the month of the day after them, in the month of the day before them, and in the months between, newest first. */
function splitAtMonths(days: PastDays): readonly PastDays[] {
  const [second, last] = [startOfMonth(days.from - DAY, 1), startOfMonth(days.to + DAY)];
  if (last < second) return [days];
  const parts = [
    { ...days, from: last },
    { ...days, from: second, to: last - DAY },
    { ...days, to: second - DAY },
  ];
  return parts.filter(({ from, to }) => from <= to);
}

function DayList({ days }: { readonly days: readonly PastDays[] }) {
  const { format, now } = useView();
  return (
    <div class="days">
      {days.map(({ from, to, incidents }) =>
        incidents.length === 0 ? (
          <Quiet key={from} from={from} to={to} />
        ) : (
          <section key={from}>
            <h3>
              <time dateTime={format.isoDay(from)}>{format.dayOfYear(from, now)}</time>
            </h3>
            <div>
              {incidents.map((incident) => (
                <IncidentEntry key={incident.id} incident={incident} />
              ))}
            </div>
          </section>
        ),
      )}
    </div>
  );
}

/** The days of incidents, and those between them on which none lasts, newest first. */
function daysOf({ incidents, lasting = [], until, next, hasQuiet = true }: PastProps, { format }: View): readonly PastDays[] {
  const begun = [...incidents, ...lasting].filter(({ state }) => state !== 'scheduled');
  const spans = begun.map(({ startedAt, resolvedAt }) => ({
    first: format.dayOf(startedAt),
    // One that ended at midnight did not last on the day that began then.
    last: resolvedAt === null ? Infinity : format.dayOf(Math.max(startedAt, resolvedAt - 1)),
  }));
  const listed = next === undefined ? incidents : [...incidents, next];
  const days = groupedBy(listed, ({ startedAt }) => format.dayOf(startedAt)).map(({ first, all }) => {
    const day = format.dayOf(first.startedAt);
    return { from: day, to: day, incidents: all.filter((incident) => incident !== next) };
  });
  const end = until === null ? null : format.dayOf(until) + DAY;
  return days.flatMap((day, index) => {
    const before = days[index - 1]?.from ?? end;
    const shown = day.incidents.length === 0 ? [] : [day];
    if (!hasQuiet || before === null) return shown;
    const quiet = { ...quietBetween(day.from, before, spans), incidents: [] };
    return quiet.from <= quiet.to ? [quiet, ...shown] : shown;
  });
}

/** The first and the last of the days between two days on which no incident lasts. @param spans the first and the last day of each */
function quietBetween(day: Instant, before: Instant, spans: readonly { readonly first: Instant; readonly last: number }[]) {
  const older = spans.filter(({ first }) => first <= day);
  const newer = spans.filter(({ first }) => first > day);
  return {
    from: Math.max(...older.map(({ last }) => last)) + DAY,
    to: Math.min(before, ...newer.map(({ first }) => first)) - DAY,
  };
}

/** The days from the first to the last, both included. */
function Quiet({ from, to }: { readonly from: Instant; readonly to: Instant }) {
  const { t, format, now } = useView();
  const count = (to - from) / DAY + 1;
  return (
    <section>
      <h3>{from === to ? format.dayOfYear(from, now) : format.dayRange(from, to, now)}</h3>
      <p class="soft">{t.incident.quiet(count, format.number(count))}</p>
    </section>
  );
}
