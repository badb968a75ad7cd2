import { DAY, type ActivityDay, type Instant } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { Months } from './strip.js';

const CELL = 13;
const SIZE = 11;
const TOP = 16;
const WEEK = 7;
/** The width of the picture of a young team, so that its cells are not huge. */
const LEAST_WEEKS = 20;
/** The same for bars, which are wider. */
const LEAST_BARS = 6;
const BAR_HEIGHT = 32;
const LEVELS = [0, 1, 2, 3, 4] as const;

interface HeatProps {
  /** Oldest first, every day listed. */
  readonly days: readonly ActivityDay[];
  /** The weeks of these days that are shown. */
  readonly weeks: readonly ActivityDay[];
}

/** The days of some weeks as one picture with one path for each level of activity. */
export function Heat({ days, weeks }: HeatProps) {
  const view = useView();
  const first = weeks[0]?.day ?? 0;
  const shown = days.filter(({ day }) => day >= first);
  const cells = cellsOf(shown);
  const width = Math.max(weeks.length, LEAST_WEEKS) * CELL - 2;
  return (
    <>
      <svg class="heat" viewBox={`0 0 ${String(width)} ${String(TOP + WEEK * CELL - 2)}`} role="img" aria-label={summaryOf(weeks, view)}>
        {monthLabels(shown, view).map(({ column, text }) => (
          <text key={column} x={column * CELL} y="10">
            {text}
          </text>
        ))}
        {LEVELS.filter((level) => cells.some((cell) => cell.level === level)).map((level) => (
          <path key={level} class={`h${String(level)}`} d={squaresAt(cells.filter((cell) => cell.level === level))} />
        ))}
        <path
          class="ring"
          d={squaresAt(
            cells.filter(({ hasRelease }) => hasRelease),
            0.75,
          )}
        />
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
export function summaryOf(weeks: readonly ActivityDay[], { t, format }: View): string {
  const [commits, releases] = [sumOf(weeks, 'commits'), sumOf(weeks, 'releases')];
  return t.activity.inPlace(textOf({ commits, releases }, { t, format }), t.activity.weeks(weeks.length, format.number(weeks.length)));
}

/** The sums of whole weeks since the first activity, oldest first, each at its Monday; at most so many weeks. */
export function weeksOf(days: readonly ActivityDay[], most: number): readonly ActivityDay[] {
  const newest = days.at(-1)?.day ?? 0;
  const monday = days.length - 1 - weekdayOf(newest);
  const weeks = Array.from({ length: most }, (_, index) => {
    const start = monday - (most - 1 - index) * WEEK;
    const day = newest - (days.length - 1 - start) * DAY;
    const own = days.slice(Math.max(0, start), Math.max(0, start + WEEK));
    return { day, commits: sumOf(own, 'commits'), releases: sumOf(own, 'releases') };
  });
  const first = weeks.findIndex(({ commits, releases }) => commits + releases > 0);
  return first < 0 ? [] : weeks.slice(first);
}

interface WeeksProps {
  readonly weeks: readonly ActivityDay[];
  /** How many weeks the axis has at least, so that several pictures can have one. */
  readonly axis: number;
  /** The number of commits that is as high as the picture. Default: the most commits of a week. */
  readonly top?: number;
  /** Whether it has the names of its months, and the keyboard stops here. */
  readonly isLarge?: boolean;
}

/** The commits of each week as bars, oldest first. The script of the pages reads them out. */
export function Weeks({ weeks, axis, top = mostCommits(weeks), isLarge = false }: WeeksProps) {
  const view = useView();
  const newest = weeks.at(-1);
  if (newest === undefined) return null;
  const count = Math.max(axis, weeks.length, LEAST_BARS);
  const first = count - weeks.length;
  const bars = weeks.map(({ commits }, index) => barOf(first + index, commits === 0 ? 1 : Math.max(3, Math.round((BAR_HEIGHT * commits) / top))));
  const start = newest.day - (count - 1) * WEEK * DAY;
  return (
    <>
      <div
        class={isLarge ? 'strip weeks large' : 'strip weeks'}
        role="img"
        aria-label={summaryOf(weeks, view)}
        tabIndex={isLarge ? 0 : undefined}
        data-days={weeks.map((week, index) => `${String(first + index)}\t${textOf(week, view)}`).join('\n')}
        data-count={count}
        data-first={first}
        data-start={start}
        data-step={WEEK * DAY}
        data-texts=""
      >
        <svg viewBox={`0 0 ${String(count * 10 - 3)} ${String(BAR_HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={bars.join('')} />
          {first === 0 ? null : <path class="gone" d={`M0 ${String(BAR_HEIGHT - 1)}H${String(first * 10 - 3)}`} />}
        </svg>
      </div>
      {isLarge ? <Months from={start} count={count * WEEK} /> : null}
    </>
  );
}

/** The highest of some bars, so that they can have one scale. */
export function mostCommits(weeks: readonly ActivityDay[]): number {
  return Math.max(1, ...weeks.map(({ commits }) => commits));
}

function barOf(index: number, height: number): string {
  return `M${String(index * 10)} ${String(BAR_HEIGHT)}v-${String(height)}h7v${String(height)}z`;
}

/** `12 commits and 1 release` */
function textOf({ commits, releases }: Omit<ActivityDay, 'day'>, { t, format }: Pick<View, 't' | 'format'>): string {
  const texts = [
    t.activity.commits(commits, format.number(commits)),
    ...(releases === 0 ? [] : [t.activity.releases(releases, format.number(releases))]),
  ];
  return format.list(texts);
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

/** Where the squares of some days are, and what they show. */
function cellsOf(days: readonly ActivityDay[]) {
  const most = mostCommits(days);
  const offset = weekdayOf(days[0]?.day ?? 0);
  return days.map((day, index) => {
    const [week, weekday] = [Math.floor((index + offset) / WEEK), (index + offset) % WEEK];
    return { level: levelOf(day, most), x: week * CELL, y: TOP + weekday * CELL, hasRelease: day.releases > 0 };
  });
}

/** @param inset how much smaller each is on all sides */
function squaresAt(cells: readonly { readonly x: number; readonly y: number }[], inset = 0): string {
  const size = String(SIZE - 2 * inset);
  return cells.map(({ x, y }) => `M${String(x + inset)} ${String(y + inset)}h${size}v${size}h-${size}z`).join('');
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
