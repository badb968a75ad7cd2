import { DAY, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';

/** The commits and releases of one UTC day. */
export interface ActivityDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly commits: number;
  readonly releases: number;
}

const CELL = 12;
const TOP = 16;
const DAYS_OF_WEEK = 7;
const LEVELS = [0, 1, 2, 3, 4] as const;

interface CalendarProps {
  /** Oldest first, every day listed. */
  readonly days: readonly ActivityDay[];
}

/** A year as one picture, with one path for each level of activity, and the same numbers by month as a table. */
export function Calendar({ days }: CalendarProps) {
  const view = useView();
  const weeks = Math.ceil((days.length + weekdayOf(days[0]?.day ?? 0)) / DAYS_OF_WEEK);
  const most = Math.max(1, ...days.map(countOf));
  const [width, height] = [weeks * CELL, TOP + DAYS_OF_WEEK * CELL];
  return (
    <>
      <section class="scroll" tabIndex={0} aria-label={view.t.activity.scroll}>
        <svg class="calendar" viewBox={`0 0 ${String(width)} ${String(height)}`} role="img" aria-label={view.t.activity.label}>
          {monthLabels(days, view).map(({ column, text }) => (
            <text key={column} x={column * CELL} y="9">
              {text}
            </text>
          ))}
          {LEVELS.map((level) => [level, cellsOf(days, level, most)] as const)
            .filter(([, path]) => path !== '')
            .map(([level, path]) => (
              <path key={level} class={`h${String(level)}`} d={path} />
            ))}
        </svg>
      </section>
      <Legend />
      <MonthTable days={days} />
    </>
  );
}

function Legend() {
  const { t } = useView();
  return (
    <p class="legend" aria-hidden="true">
      {t.activity.less}
      <svg viewBox="0 0 58 10" width="58" height="10">
        {LEVELS.map((level) => (
          <path key={level} class={`h${String(level)}`} d={`M${String(level * CELL)} 0h10v10h-10z`} />
        ))}
      </svg>
      {t.activity.more}
    </p>
  );
}

function MonthTable({ days }: CalendarProps) {
  const { t, format } = useView();
  return (
    <details>
      <summary>{t.activity.table}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.activity.month}</th>
            <th scope="col">{t.places.commits}</th>
            <th scope="col">{t.places.releases}</th>
          </tr>
        </thead>
        <tbody>
          {monthsOf(days)
            .reverse()
            .map(({ month, commits, releases }) => (
              <tr key={month}>
                <th scope="row">{format.month(month)}</th>
                <td>{format.number(commits)}</td>
                <td>{format.number(releases)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}

/** Monday is 0. */
function weekdayOf(day: Instant): number {
  return (new Date(day).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
}

function countOf({ commits, releases }: ActivityDay): number {
  return commits + releases;
}

function levelOf(day: ActivityDay, most: number): number {
  const count = countOf(day);
  // The square root, so that one very busy day does not make all others look idle.
  return count === 0 ? 0 : Math.min(4, Math.max(1, Math.ceil(4 * Math.sqrt(count / most))));
}

function cellsOf(days: readonly ActivityDay[], level: number, most: number): string {
  const offset = weekdayOf(days[0]?.day ?? 0);
  return days
    .flatMap((day, index) => {
      if (levelOf(day, most) !== level) return [];
      const place = index + offset;
      const [x, y] = [Math.floor(place / DAYS_OF_WEEK) * CELL, TOP + (place % DAYS_OF_WEEK) * CELL];
      return `M${String(x)} ${String(y)}h10v10h-10z`;
    })
    .join('');
}

function monthLabels(days: readonly ActivityDay[], { format }: View): readonly { readonly column: number; readonly text: string }[] {
  const first = days[0]?.day ?? 0;
  const offset = weekdayOf(first);
  const starts = days.filter(({ day }) => new Date(day).getUTCDate() === 1);
  return starts.map(({ day }) => ({ column: Math.floor(((day - first) / DAY + offset) / DAYS_OF_WEEK), text: format.shortMonth(day) }));
}

function monthsOf(days: readonly ActivityDay[]): { readonly month: Instant; readonly commits: number; readonly releases: number }[] {
  const months = new Map<Instant, { month: Instant; commits: number; releases: number }>();
  for (const { day, commits, releases } of days) {
    const date = new Date(day);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    const sums = months.get(month) ?? { month, commits: 0, releases: 0 };
    months.set(month, { month, commits: sums.commits + commits, releases: sums.releases + releases });
  }
  return [...months.values()];
}
