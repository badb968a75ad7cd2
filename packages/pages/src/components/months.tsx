import { DAY, dayFiguresOf, startOfMonth, type Incident, type Instant, type PeriodStatus, type ServiceMonth } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { groupedBy } from './entry-list.js';
import { Icon } from './icon.js';
import { IncidentLink } from './incidents.js';
import { State } from './state.js';
import { textOf, type StripDay } from './strip.js';
import { Table } from './blocks.js';

/** A day of a strip, and what else is known of it. */
interface ServiceDay extends StripDay {
  readonly period: PeriodStatus;
}

interface MonthsProps {
  /** Oldest first, from the first check on, every day listed. */
  readonly days: readonly ServiceDay[];
  readonly months: readonly ServiceMonth[];
}

const WEEK = 7;

/** The days of each month as a calendar; a day links to its row in the table below. */
export function Calendars({ days, months }: MonthsProps) {
  const { format } = useView();
  return (
    <div class="cals">
      {groupedBy(days, ({ day }) => format.month(day)).map(({ first, all }) => (
        <Calendar key={first.day} days={all} today={days.at(-1)?.day} uptime={uptimeIn(months, first.day, format)} />
      ))}
    </div>
  );
}

/** The uptime of the whole month, also if only a part of it is shown. */
function uptimeIn(months: readonly ServiceMonth[], at: Instant, format: View['format']): string | null {
  const percent = months.find(({ month }) => month === startOfMonth(at))?.uptimePercent ?? null;
  return percent === null ? null : format.percent(percent);
}

/** The days as the strips show them, oldest first. @param days newest first  @param known incidents, for their titles */
export function stripOf(days: readonly PeriodStatus[], known: readonly Incident[]): readonly ServiceDay[] {
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  const isCovered = (id: string, ofDay: readonly string[]): boolean =>
    known.some((one) => ofDay.includes(one.id) && one.covers?.includes(id) === true);
  return [...days].reverse().map((period) => {
    const { start, outageMs, degradedMs, checks, incidents } = period;
    return {
      day: start,
      ...dayFiguresOf({ counts: checks, outageMs, degradedMs }),
      incidents: incidents.filter((id) => !isCovered(id, incidents)).map((id) => ({ id, title: titles.get(id) ?? '' })),
      period,
    };
  });
}

/** Without the time before the first check. @param days newest first */
export function trackedOf(days: readonly PeriodStatus[]): readonly PeriodStatus[] {
  const oldest = days.findLastIndex(({ checks }) => Object.values(checks).some((count) => count > 0));
  return days.slice(0, oldest + 1);
}

interface CalendarProps {
  /** Those of a month, oldest first. */
  readonly days: readonly StripDay[];
  readonly today: Instant | undefined;
  readonly uptime: string | null;
}

function Calendar({ days, today, uptime }: CalendarProps) {
  const { format } = useView();
  const first = days[0]?.day ?? 0;
  const offset = (new Date(first).getUTCDay() + WEEK - 1) % WEEK;
  const cells: readonly (StripDay | null)[] = [...Array<null>(offset).fill(null), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / WEEK) }, (_, index) => cells.slice(index * WEEK, (index + 1) * WEEK));
  return (
    <table class="cal">
      <caption>
        <span class="pair">
          {format.month(first)} {uptime === null ? null : <small>{uptime}</small>}
        </span>
      </caption>
      <thead>
        <tr>
          {Array.from({ length: WEEK }, (_, index) => (
            <th key={index} scope="col" abbr={format.weekdayName(Date.UTC(2024, 0, 1) + index * DAY)}>
              {format.weekdayLetter(Date.UTC(2024, 0, 1) + index * DAY)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, row) => (
          <tr key={row}>
            {week.map((day, column) => (day === null ? <td key={column} /> : <DayCell key={column} day={day} isToday={day.day === today} />))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({ day, isToday }: { readonly day: StripDay; readonly isToday: boolean }) {
  const view = useView();
  const number = String(new Date(day.day).getUTCDate());
  const isPlain = day.state === 'operational' || day.state === 'unknown';
  return (
    <td class={day.state} aria-current={isToday ? 'date' : undefined} title={textOf(day, view)}>
      {isPlain ? number : <a href={`#${rowOf(day, view)}`}>{number}</a>}
    </td>
  );
}

/** The days by month, folded. A link to a day opens its month. */
export function DayTables({ days, months }: MonthsProps) {
  const { t, format } = useView();
  return (
    <>
      {groupedBy([...days].reverse(), ({ day }) => format.month(day)).map(({ first, all }) => {
        const bad = all.filter(({ state }) => state === 'outage' || state === 'degraded').length;
        return (
          <details key={first.day} class="month">
            <summary>
              <Icon name="chevron" class="chevron" />
              <b>{format.month(first.day)}</b>
              <span class="soft">{t.bars.badDays(bad, format.number(bad))}</span>
              <span class="end">{uptimeIn(months, first.day, format)}</span>
            </summary>
            <Table
              label={format.month(first.day)}
              headings={[t.bars.dayHeading, t.bars.state, t.bars.uptimeHeading, t.bars.checks, t.bars.covered, t.bars.response]}
            >
              {all.map((day) => (
                <DayRow key={day.day} day={day} />
              ))}
            </Table>
          </details>
        );
      })}
    </>
  );
}

function DayRow({ day }: { readonly day: ServiceDay }) {
  const view = useView();
  const { t, format } = view;
  const { responseTimeMs, checks, complete, uptimePercent, coveragePercent } = day.period;
  const percent = (value: number | null): string => (value === null ? '–' : format.percent(value));
  const total = format.number(Object.values(checks).reduce((sum, count) => sum + count, 0));
  return (
    <tr id={rowOf(day, view)}>
      <th scope="row">{complete ? format.monthDay(day.day) : `${format.monthDay(day.day)} (${t.bars.partial})`}</th>
      <td>
        <State state={day.state} more={lengthsOf(day, view)} />
        {day.incidents.map((incident) => (
          <div key={incident.id}>
            <IncidentLink incident={incident} />
          </div>
        ))}
      </td>
      <td>{percent(uptimePercent)}</td>
      <td>{checks.outage === 0 ? total : `${total} (${t.bars.bad(String(checks.outage))})`}</td>
      <td>{percent(coveragePercent)}</td>
      <td class="end">{responseTimeMs === null ? '–' : `${format.number(responseTimeMs.p50)} / ${format.number(responseTimeMs.p95)} ms`}</td>
    </tr>
  );
}

/** How long the service was down or degraded. */
function lengthsOf(day: StripDay, view: View): string | null {
  return (day.outageMs ?? 0) + (day.degradedMs ?? 0) === 0 ? null : textOf({ ...day, failed: 0 }, view);
}

function rowOf({ day }: StripDay, { format }: View): string {
  return `day-${format.isoDay(day)}`;
}
