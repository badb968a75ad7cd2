import { DAY, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';

/** The commits and releases of one UTC day. */
export interface ActivityDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly commits: number;
  readonly releases: number;
}

interface ActivityProps {
  /** Oldest first, every day listed. */
  readonly days: readonly ActivityDay[];
}

const CELL = 13;
const SIZE = 11;
const TOP = 16;
const WEEK = 7;
const MOST_WEEKS = 26;
/** The width of the picture of a young team, so that its cells are not huge. */
const LEAST_WEEKS = 20;
const LEAST_BARS = 36;
const LEVELS = [0, 1, 2, 3, 4] as const;

/** The weeks since the first activity, at most half a year, as one picture with one path for each level of activity. */
export function Heat({ days }: ActivityProps) {
  const view = useView();
  const shown = shownDays(days);
  const weeks = Math.ceil((shown.length + weekdayOf(shown[0]?.day ?? 0)) / WEEK);
  const most = Math.max(1, ...shown.map(({ commits }) => commits));
  const width = Math.max(weeks, LEAST_WEEKS) * CELL - 2;
  return (
    <>
      <svg class="heat" viewBox={`0 0 ${String(width)} ${String(TOP + WEEK * CELL - 2)}`} role="img" aria-label={summaryOf(shown, view)}>
        {monthLabels(shown, view).map(({ column, text }) => (
          <text key={column} x={column * CELL} y="10">
            {text}
          </text>
        ))}
        {LEVELS.map((level) => [level, cellsOf(shown, level, most)] as const)
          .filter(([, path]) => path !== '')
          .map(([level, path]) => (
            <path key={level} class={`h${String(level)}`} d={path} />
          ))}
        <path class="ring" d={ringsOf(shown)} />
      </svg>
      <Keys />
    </>
  );
}

function Keys() {
  const { t } = useView();
  return (
    <div class="keys" aria-hidden="true">
      <span>
        {t.activity.less}
        <svg class="heat" viewBox={`0 0 ${String(5 * CELL)} ${String(SIZE)}`} width="63" height="11">
          {LEVELS.map((level) => (
            <path key={level} class={`h${String(level)}`} d={`M${String(level * CELL)} 0h11v11h-11z`} />
          ))}
        </svg>
        {t.activity.more}
      </span>
      <span>
        <svg class="heat" viewBox="0 0 13 13" width="13" height="13">
          <path class="ring" d="M1 1h11v11h-11z" />
        </svg>
        {t.activity.release}
      </span>
    </div>
  );
}

/** `412 commits and 5 releases in 26 weeks`. */
export function summaryOf(days: readonly ActivityDay[], { t, format }: View): string {
  const [commits, releases] = [sumOf(days, 'commits'), sumOf(days, 'releases')];
  const weeks = Math.max(1, Math.ceil(days.length / WEEK));
  return t.activity.summary(
    t.activity.commits(commits, format.number(commits)),
    t.activity.releases(releases, format.number(releases)),
    t.activity.weeks(weeks, format.number(weeks)),
  );
}

/** Whole weeks since the first activity. */
export function shownDays(days: readonly ActivityDay[], weeks = MOST_WEEKS): readonly ActivityDay[] {
  const first = days.findIndex(({ commits, releases }) => commits + releases > 0);
  const newest = days.at(-1);
  const ofThisWeek = newest === undefined ? 0 : weekdayOf(newest.day) + 1;
  const from = Math.max(first < 0 ? days.length - 1 : first - weekdayOf(days[first]?.day ?? 0), days.length - ofThisWeek - (weeks - 1) * WEEK, 0);
  return days.slice(from);
}

/** The commits of each week as bars, oldest first. */
export function Weeks({ days }: ActivityProps) {
  const view = useView();
  const shown = shownDays(days, 52);
  const weeks = Array.from({ length: Math.ceil(shown.length / WEEK) }, (_, index) => sumOf(shown.slice(index * WEEK, (index + 1) * WEEK), 'commits'));
  const most = Math.max(1, ...weeks);
  const bars = weeks.map((count, index) => {
    const height = count === 0 ? 1 : Math.max(3, Math.round((56 * count) / most));
    return `M${String(index * 10)} 56v-${String(height)}h7v${String(height)}z`;
  });
  return (
    <svg
      class="weeks"
      viewBox={`0 0 ${String(Math.max(LEAST_BARS, weeks.length) * 10 - 3)} 56`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summaryOf(shown, view)}
    >
      <path d={bars.join('')} />
    </svg>
  );
}

/** Monday is 0. */
function weekdayOf(day: Instant): number {
  return (new Date(day).getUTCDay() + WEEK - 1) % WEEK;
}

function sumOf(days: readonly ActivityDay[], what: 'commits' | 'releases'): number {
  return days.reduce((sum, day) => sum + day[what], 0);
}

function levelOf({ commits }: ActivityDay, most: number): number {
  // The square root, so that one very busy day does not make all others look idle.
  return commits === 0 ? 0 : Math.min(4, Math.max(1, Math.ceil(4 * Math.sqrt(commits / most))));
}

function placeOf(index: number, days: readonly ActivityDay[]): readonly [x: number, y: number] {
  const place = index + weekdayOf(days[0]?.day ?? 0);
  return [Math.floor(place / WEEK) * CELL, TOP + (place % WEEK) * CELL];
}

function cellsOf(days: readonly ActivityDay[], level: number, most: number): string {
  return days.map((day, index) => (levelOf(day, most) === level ? squareAt(placeOf(index, days), SIZE) : '')).join('');
}

function ringsOf(days: readonly ActivityDay[]): string {
  return days
    .map(({ releases }, index) => {
      const [x, y] = placeOf(index, days);
      return releases === 0 ? '' : squareAt([x + 0.75, y + 0.75], SIZE - 1.5);
    })
    .join('');
}

function squareAt([x, y]: readonly [number, number], size: number): string {
  return `M${String(x)} ${String(y)}h${String(size)}v${String(size)}h-${String(size)}z`;
}

function monthLabels(days: readonly ActivityDay[], { format }: View): readonly { readonly column: number; readonly text: string }[] {
  const first = days[0]?.day ?? 0;
  const offset = weekdayOf(first);
  const last = Math.floor((days.length + offset) / WEEK);
  return days
    .filter(({ day }) => new Date(day).getUTCDate() === 1)
    .map(({ day }) => ({ column: Math.floor(((day - first) / DAY + offset) / WEEK), text: format.shortMonth(day) }))
    .filter(({ column }) => column < last - 1);
}
