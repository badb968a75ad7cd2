import type { DayStatus, StateCounts } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { ScrollingTable } from './scrolling-table.js';
import { State } from './state.js';

interface DayDetailsProps {
  /** Newest first. */
  readonly days: readonly DayStatus[];
}

/** One bar for each day that shows its details on focus, on tap and under the pointer, and leads to the row of the day. */
export function DayBars({ days }: DayDetailsProps) {
  const view = useView();
  return (
    <ol class="days">
      {[...days].reverse().map((day) => (
        <li key={day.day}>
          <a class={`day ${day.state}`} href={`#${rowOf(day, view)}`}>
            <span class="tip">{`${view.format.shortDay(day.day)}: ${view.t.states[day.state]}. ${summaryOf(day, view)}`}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** The same days with all numbers. */
export function DayTable({ days }: DayDetailsProps) {
  const { t } = useView();
  const { bars } = t;
  const headings = [bars.dayHeading, bars.state, t.service.windows, bars.checks, bars.covered, bars.response];
  return (
    <ScrollingTable label={bars.table} headings={headings} isWide>
      {days.map((day) => (
        <DayRow key={day.day} day={day} />
      ))}
    </ScrollingTable>
  );
}

function DayRow({ day }: { readonly day: DayStatus }) {
  const view = useView();
  const { t, format } = view;
  const { responseTimeMs } = day;
  return (
    <tr id={rowOf(day, view)}>
      <th scope="row">
        {format.shortDay(day.day)}
        {day.complete ? '' : ` (${t.bars.partial})`}
      </th>
      <td>
        <State state={day.state} />
      </td>
      <td>{day.uptimePercent === null ? '–' : format.percent(day.uptimePercent)}</td>
      <td>{checksText(day.checks, view)}</td>
      <td>{day.coveragePercent === null ? '–' : format.percent(day.coveragePercent)}</td>
      <td>{responseTimeMs === null ? '–' : `${format.number(responseTimeMs.p50)} / ${format.number(responseTimeMs.p95)} ms`}</td>
    </tr>
  );
}

function rowOf({ day }: DayStatus, { format }: View): string {
  return `day-${format.isoDay(day)}`;
}

function summaryOf(day: DayStatus, view: View): string {
  const { t, format } = view;
  const uptime = day.uptimePercent === null ? [] : [`${format.percent(day.uptimePercent)} ${t.bars.uptime}`];
  const covered = day.coveragePercent === null ? [] : [t.bars.coverage(format.percent(day.coveragePercent))];
  return `${[`${t.bars.checks}: ${checksText(day.checks, view)}`, ...uptime, ...covered].join(', ')}.`;
}

function checksText(checks: StateCounts, { t, format }: View): string {
  const total = Object.values(checks).reduce((sum, count) => sum + count, 0);
  return checks.outage === 0 ? format.number(total) : `${format.number(total)} (${t.bars.bad(checks.outage)})`;
}
