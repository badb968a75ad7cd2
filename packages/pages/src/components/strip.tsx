import { DAY, type DayFigures, type Instant, type ServiceState, type ServiceStatus } from '@vitrine/core';
import { serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';
import type { Href } from '../page-links.js';

/** One UTC day of a strip. */
export interface StripDay extends DayFigures {
  readonly day: Instant;
  /** The incidents of the day. */
  readonly incidents: readonly { readonly id: string; readonly title: string }[];
}

const HEIGHT = 32;
/** The width of a day: a bar and a gap. */
const STEP = 10;
const BAR = 7;
/** Even one bad minute can be seen. */
const LEAST = 4;
/** The height of a bad part whose length is not known. */
const SOME = HEIGHT / 2;
/** Where the line of good days in a row is, and that of days of which nothing is known. */
const MIDDLE = HEIGHT / 2;
const FLAT = HEIGHT - 1;

interface StripProps {
  readonly service: ServiceStatus;
  /** Oldest first, every day of the window. */
  readonly days: readonly StripDay[];
  readonly href: Href;
}

/**
 * One bar for each day as one picture, with one path for each state. The bad part of a day stands at the bottom of its bar, and is as high as it was long.
 * The script of the pages reads the days out; without it, the strip is one link.
 */
export function Strip({ service, days, href }: StripProps) {
  const view = useView();
  const { t } = view;
  const from = firstOf(service, days);
  if (days[from] === undefined) return <span class="unread soft small">{t.bars.never}</span>;
  const told = days.flatMap((day, index) =>
    index < from || day.state === 'operational' ? [] : [[String(index), textOf(day, view), ...incidentsOf(day, view)].join('\t')],
  );
  return (
    <a
      class="strip"
      href={href}
      aria-label={t.bars.label(serviceName(service), days.length - from, days.filter(isBad).length)}
      data-days={told.join('\n')}
      data-count={days.length}
      data-first={from}
      data-start={days[0]?.day}
      data-step={DAY}
      data-texts={`${t.bars.good}\t${t.states.unknown}`}
    >
      <svg
        viewBox={`${String(-BAR / 2)} 0 ${String(days.length * STEP - (STEP - BAR))} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[...pathsOf(days, from)].map(([of, path]) => (
          <path key={of} class={of} d={path.join('')} />
        ))}
        {from === 0 ? null : <path class="gone" d={`M${String(-BAR / 2)} ${String(FLAT)}H${String((from - 1) * STEP + BAR / 2)}`} />}
      </svg>
      {from * 4 < days.length ? null : <Since service={service} start={days[0]?.day ?? 0} />}
    </a>
  );
}

/** When the first check was, unless it was before the strip begins. */
function Since({ service: { trackedFrom }, start }: { readonly service: ServiceStatus; readonly start: Instant }) {
  const { t, format } = useView();
  return trackedFrom === null || trackedFrom < start ? null : <em>{t.bars.since(format.monthDay(format.dayOf(trackedFrom)))}</em>;
}

/** The first day of which something is known; if there is none, that of the first check; -1 without a check. */
function firstOf({ trackedFrom }: ServiceStatus, days: readonly StripDay[]): number {
  const known = days.findIndex(({ state }) => state !== 'unknown');
  if (known >= 0 || trackedFrom === null) return known;
  const checked = days.findLastIndex(({ day }) => day <= trackedFrom);
  return Math.max(0, checked);
}

function isBad({ state }: StripDay): boolean {
  return state === 'outage' || state === 'degraded' || state === 'maintenance';
}

/** The square root makes minutes and hours differ in one bar. */
function heightOf(length: number | null): number {
  return length === null ? SOME : Math.min(HEIGHT, Math.max(LEAST, Math.round(HEIGHT * Math.sqrt(length / DAY))));
}

type Part = readonly [state: ServiceState, height: number];

/** The parts of the bar of a bad day from its foot: the bad part, a gap, the good part. */
function partsOf(day: StripDay): readonly Part[] {
  const bad = badPartsOf(day);
  // Only checks can say that the rest of the day was good.
  if (day.checks === 0 && day.state !== 'maintenance') return bad;
  const rest = HEIGHT - bad.reduce((sum, [, height]) => sum + height + 1, 0);
  return rest > 1 ? [...bad, ['operational', rest]] : bad;
}

function badPartsOf({ state, outageMs, degradedMs }: StripDay): readonly Part[] {
  if (state === 'maintenance') return [['maintenance', SOME]];
  const down = state === 'outage' ? heightOf(outageMs) : 0;
  const isSlow = state === 'degraded' || (degradedMs ?? 0) > 0;
  const parts: readonly Part[] = [
    ['outage', down],
    ['degraded', isSlow ? Math.min(heightOf(degradedMs), HEIGHT - down) : 0],
  ];
  return parts.filter(([, height]) => height > 0);
}

/**
 * The bars by class. A bar is a line from its foot, which the style sheet makes as wide as `BAR`. Good or unknown days in a row are one line along
 * their middle, which the style sheet cuts into bars: most of the ten thousand days of a page are such.
 */
function pathsOf(days: readonly StripDay[], from: number): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  const draw = (of: string, path: string): void => {
    const drawn = paths.get(of);
    if (drawn === undefined) paths.set(of, [path]);
    else drawn.push(path);
  };
  let start = from;
  days.forEach((day, index) => {
    if (index < from) return;
    if (isBad(day)) drawBar(day, index * STEP, draw);
    else if (day.state === days[index + 1]?.state) return;
    else
      draw(
        `run ${day.state}`,
        `M${String(start * STEP - BAR / 2)} ${String(day.state === 'unknown' ? FLAT : MIDDLE)}H${String(index * STEP + BAR / 2)}`,
      );
    start = index + 1;
  });
  return paths;
}

function drawBar(day: StripDay, x: number, draw: (state: ServiceState, path: string) => void): void {
  let foot = HEIGHT;
  for (const [state, height] of partsOf(day)) {
    draw(state, `M${String(x)} ${String(foot)}v-${String(height)}`);
    foot -= height + 1;
  }
}

/** `Down for 26 min, 12 of 1,440 checks failed`. */
export function textOf({ state, outageMs, degradedMs, checks, failed }: StripDay, { t, format }: View): string {
  const length = (text: (length: string) => string, milliseconds: number | null): readonly string[] =>
    milliseconds === null || milliseconds === 0 ? [] : [text(format.duration(milliseconds))];
  const lengths = [...length(t.bars.down, outageMs), ...length(t.bars.slow, degradedMs)];
  const failures = failed > 0 ? [t.bars.failed(format.number(failed), format.number(checks))] : [];
  return [...(lengths.length === 0 ? [t.states[state]] : lengths), ...failures].join(', ');
}

/** The address and the title of each, one after the other. */
function incidentsOf({ incidents }: StripDay, { links, t }: View): readonly string[] {
  return incidents.flatMap(({ id, title }) => {
    const href = links.record('incident', id);
    return href === undefined ? [] : [href, title.replaceAll(/\s+/g, ' ').trim() || t.record.untitled];
  });
}

export function Axis({ days, headings }: { readonly days: readonly StripDay[]; readonly headings: readonly string[] }) {
  return (
    <div class="axis" aria-hidden="true">
      <span />
      <Months from={days[0]?.day ?? 0} count={days.length} />
      {headings.map((heading) => (
        <span key={heading}>{heading}</span>
      ))}
    </div>
  );
}

/** The names of the months beside so many days until today. */
export function Months({ from, count }: { readonly from: Instant; readonly count: number }) {
  const { t, format } = useView();
  const first = format.dayOfYear(from, from + (count - 1) * DAY);
  // With a year, it needs more room.
  const free = first === format.monthDay(from) ? 0.1 : 0.2;
  const months = Array.from({ length: count }, (_, index) => ({ day: from + index * DAY, place: index / count })).filter(
    ({ day, place }) => new Date(day).getUTCDate() === 1 && place > free && place < 0.9,
  );
  return (
    <svg class="months" aria-hidden="true">
      <text x="0" y="13">
        {first}
      </text>
      {months.map(({ day, place }) => (
        <text key={day} x={`${(100 * place).toFixed(1)}%`} y="13">
          {format.shortMonth(day)}
        </text>
      ))}
      <text x="100%" y="13" text-anchor="end">
        {t.bars.today}
      </text>
    </svg>
  );
}

const KEYS = [
  ['operational', 'operational', HEIGHT],
  ['outage', 'minutes', LEAST + 2],
  ['outage', 'hours', 18],
  ['degraded', 'degraded', 10],
  ['maintenance', 'maintenance', SOME],
  ['unknown', 'unknown', 2],
] as const;

/** What the bars mean, and that the script reads them out. */
export function Legend() {
  const { t, site } = useView();
  return (
    <div class="legend">
      {KEYS.map(([state, word, height]) => (
        <span key={word}>
          <svg viewBox="0 0 7 32" preserveAspectRatio="none" aria-hidden="true">
            <path class={state} d={`M0 32v-${String(height)}h7v${String(height)}z`} />
            {state === 'operational' || state === 'unknown' ? null : <path class="operational" d={`M0 0h7v${String(HEIGHT - height - 2)}h-7z`} />}
          </svg>
          {t.bars.keys[word]}
        </span>
      ))}
      {site.timeZone === 'UTC' ? null : <span>{t.bars.utcDays}</span>}
      <span class="hint">{t.bars.hint}</span>
    </div>
  );
}
