import { DAY, dayFiguresOf, startOfMonth, type Incident, type Instant, type PeriodStatus, type ServiceMonth } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { groupedBy, TitleLink } from './entry-list.js';
import { Icon } from './icon.js';
import { State } from './state.js';
import { textOf, type StripDay } from './strip.js';
import { Table } from './blocks.js';

interface MonthsProps {
  /** Newest first, every day listed. */
  readonly days: readonly PeriodStatus[];
  readonly strip: readonly StripDay[];
  readonly months: readonly ServiceMonth[];
}

const WEEK = 7;

/** The days of each month as a calendar; a day links to its row in the table below. */
export function Calendars({ days, strip, months }: MonthsProps) {
  const { format } = useView();
  const tracked = trackedOf(days);
  const texts = new Map(strip.map((day) => [day.day, day]));
  return (
    <div class="cals">
      {groupedBy([...tracked].reverse(), ({ start }) => format.month(start)).map(({ first, all }) => (
        <Calendar
          key={first.start}
          first={first.start}
          days={all}
          today={days[0]?.start}
          texts={texts}
          uptime={uptimeIn(months, first.start, format)}
        />
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
export function stripOf(days: readonly PeriodStatus[], known: readonly Incident[]): readonly StripDay[] {
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  const isCovered = (id: string, ofDay: readonly string[]): boolean =>
    known.some((one) => ofDay.includes(one.id) && one.covers?.includes(id) === true);
  return [...days].reverse().map(({ start, outageMs, degradedMs, checks, incidents }) => ({
    day: start,
    ...dayFiguresOf({ counts: checks, outageMs, degradedMs }),
    incidents: incidents.filter((id) => !isCovered(id, incidents)).map((id) => ({ id, title: titles.get(id) ?? '' })),
  }));
}

/** Without the time before the first check. @param days newest first */
export function trackedOf(days: readonly PeriodStatus[]): readonly PeriodStatus[] {
  const oldest = days.findLastIndex(({ checks }) => Object.values(checks).some((count) => count > 0));
  return days.slice(0, oldest + 1);
}

interface CalendarProps {
  readonly first: Instant;
  /** Oldest first. */
  readonly days: readonly PeriodStatus[];
  readonly today: Instant | undefined;
  readonly texts: ReadonlyMap<Instant, StripDay>;
  readonly uptime: string | null;
}

function Calendar({ first, days, today, texts, uptime }: CalendarProps) {
  const view = useView();
  const { format } = view;
  const offset = (new Date(first).getUTCDay() + WEEK - 1) % WEEK;
  const cells: readonly (PeriodStatus | null)[] = [...Array<null>(offset).fill(null), ...days];
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
            {week.map((day, column) =>
              day === null ? <td key={column} /> : <DayCell key={column} day={day} isToday={day.start === today} text={texts.get(day.start)} />,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayCellProps {
  readonly day: PeriodStatus;
  readonly isToday: boolean;
  readonly text: StripDay | undefined;
}

function DayCell({ day, isToday, text }: DayCellProps) {
  const view = useView();
  const number = String(new Date(day.start).getUTCDate());
  const state = text?.state ?? day.state;
  const isPlain = state === 'operational' || state === 'unknown';
  return (
    <td class={state} aria-current={isToday ? 'date' : undefined} title={text === undefined ? undefined : textOf(text, view)}>
      {isPlain ? number : <a href={`#${rowOf(day, view)}`}>{number}</a>}
    </td>
  );
}

/** The days by month, folded. A link to a day opens its month. */
export function DayTables({ days, strip, months }: MonthsProps) {
  const view = useView();
  const { t, format } = view;
  const texts = new Map(strip.map((day) => [day.day, day]));
  return (
    <>
      {groupedBy(trackedOf(days), ({ start }) => format.month(start)).map(({ first, all }) => {
        const bad = all.map(({ start }) => texts.get(start)?.state).filter((state) => state === 'outage' || state === 'degraded').length;
        return (
          <details key={first.start} class="month">
            <summary>
              <Icon name="chevron" class="chevron" />
              <b>{format.month(first.start)}</b>
              <span class="soft">{t.bars.badDays(bad, format.number(bad))}</span>
              <span class="end">{uptimeIn(months, first.start, format)}</span>
            </summary>
            <Table
              label={format.month(first.start)}
              headings={[t.bars.dayHeading, t.bars.state, t.bars.uptimeHeading, t.bars.checks, t.bars.covered, t.bars.response]}
            >
              {all.map((day) => (
                <DayRow key={day.start} day={day} text={texts.get(day.start)} />
              ))}
            </Table>
          </details>
        );
      })}
    </>
  );
}

function DayRow({ day, text }: { readonly day: PeriodStatus; readonly text: StripDay | undefined }) {
  const view = useView();
  const { t, format, links } = view;
  const { responseTimeMs, checks } = day;
  const percent = (value: number | null): string => (value === null ? '–' : format.percent(value));
  const total = format.number(Object.values(checks).reduce((sum, count) => sum + count, 0));
  return (
    <tr id={rowOf(day, view)}>
      <th scope="row">{day.complete ? format.monthDay(day.start) : `${format.monthDay(day.start)} (${t.bars.partial})`}</th>
      <td>
        <State state={text?.state ?? day.state} more={lengthsOf(text, view)} />
        {text?.incidents.map(({ id, title }) => (
          <div key={id}>
            <TitleLink href={links.record('incident', id)} text={title} />
          </div>
        ))}
      </td>
      <td>{percent(day.uptimePercent)}</td>
      <td>{checks.outage === 0 ? total : `${total} (${t.bars.bad(checks.outage)})`}</td>
      <td>{percent(day.coveragePercent)}</td>
      <td class="end">{responseTimeMs === null ? '–' : `${format.number(responseTimeMs.p50)} / ${format.number(responseTimeMs.p95)} ms`}</td>
    </tr>
  );
}

/** How long the service was down or degraded. */
function lengthsOf(day: StripDay | undefined, view: View): string | null {
  return day === undefined || (day.outageMs ?? 0) + (day.degradedMs ?? 0) === 0 ? null : textOf({ ...day, failed: 0 }, view);
}

function rowOf({ start }: PeriodStatus, { format }: View): string {
  return `day-${format.isoDay(start)}`;
}
