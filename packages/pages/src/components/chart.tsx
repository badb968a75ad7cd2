import { DAY, HOUR, type Instant, type PeriodStatus, type ServiceState } from '@vitrine/core';
import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { Formatter } from '../text/formatter.js';
import { useView } from '../view.js';
import { trackedOf } from './months.js';

/** The response times of a period, in milliseconds; `null` without an answer. */
interface ChartPoint {
  /** When the period begins. */
  readonly at: Instant;
  readonly p50: number | null;
  readonly p95: number | null;
  /** 0 without an answer. */
  readonly slowest: number;
  readonly state: ServiceState;
  readonly isChecked: boolean;
}

const isDown = ({ state }: ChartPoint): boolean => state === 'outage';

/** The states of times without an answer. The script of the pages has a text for each. */
const SILENT_STATES: readonly ServiceState[] = ['outage', 'unknown', 'maintenance', 'degraded', 'operational'];

const WIDTH = 960;
const HEIGHT = 240;
/** Values above this multiple of the usual ones are cut off, so that one spike does not flatten all others. */
const SPIKE = 3;

type Periods = readonly PeriodStatus[] | null;

/**
 * The same times in several ranges, of which one is shown. Without a style sheet, all are.
 *
 * @param props.hours those of the last seven days, newest first; `null`: they could not be read
 * @param props.days the same of the uptime window
 */
export function ResponseTimes({ hours, days }: { readonly hours: Periods; readonly days: Periods }) {
  const { t } = useView();
  if ([hours, days].every((periods) => periods?.every(({ responseTimeMs }) => responseTimeMs === null) === true))
    return <p class="soft">{t.service.noResponse}</p>;
  const ranges = [
    { name: '24h', periods: hours, count: 24, stepMs: HOUR },
    { name: '7d', periods: hours, count: 168, stepMs: HOUR },
    { name: '30d', periods: days, count: 30, stepMs: DAY },
    { name: '90d', periods: days, count: 91, stepMs: DAY },
  ] as const;
  return (
    <fieldset class="ranges">
      <legend class="hidden">{t.service.range}</legend>
      {ranges.map(({ name }, index) => (
        <input key={name} type="radio" class="hidden" name="range" id={`range-${name}`} checked={index === 0} />
      ))}
      <div class="seg">
        {ranges.map(({ name }) => (
          <label key={name} for={`range-${name}`}>
            {t.service.ranges[name]}
          </label>
        ))}
      </div>
      {ranges.map(({ name, periods, count, stepMs }) => (
        <div key={name} class="range">
          {periods === null ? <p class="soft">{t.bars.unread}</p> : <RangeChart periods={periods.slice(0, count)} stepMs={stepMs} />}
        </div>
      ))}
    </fieldset>
  );
}

/** From the first check on. */
function RangeChart({ periods, stepMs }: { readonly periods: readonly PeriodStatus[]; readonly stepMs: number }) {
  const { t, format, now } = useView();
  const points = trackedOf(periods)
    .map(({ start, responseTimeMs, state, checks }): ChartPoint => ({
      at: start,
      p50: responseTimeMs?.p50 ?? null,
      p95: responseTimeMs?.p95 ?? null,
      slowest: responseTimeMs?.max ?? 0,
      state,
      isChecked: Object.values(checks).some((count) => count > 0),
    }))
    .reverse();
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.every(({ p50 }) => p50 === null)) return <p class="soft">{t.service.noResponse}</p>;
  // One point is no line. Its band would cover a time that says nothing.
  if (points.length === 1 && first.p50 !== null) return <p class="soft">{`${t.service.p50}: ${t.service.milliseconds(format.number(first.p50))}`}</p>;
  const dayOf = (at: Instant): Instant => (stepMs < DAY ? format.dayOf(at) : at);
  const label = format.dayRange(dayOf(first.at), dayOf(last.at), now);
  return <Chart label={label} points={points} stepMs={stepMs} firstAt={first.at} lastAt={last.at} />;
}

/** A label further to the right would leave the page. */
const LAST_LABEL = 0.97;

interface PlotProps {
  readonly label: string;
  /** Oldest first, in equal steps, from the first check on. One has a response time. */
  readonly points: readonly ChartPoint[];
  readonly stepMs: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly ticks: readonly number[];
}

interface ChartProps extends Pick<PlotProps, 'label' | 'points' | 'stepMs'> {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/** Response times as two lines: the median, and the time below which 95 % are, with bands where the service was down. */
function Chart({ label, points, stepMs, firstAt, lastAt }: ChartProps) {
  const { t, format } = useView();
  const known = points.filter(({ p50 }) => p50 !== null);
  const x = scaleUtc([firstAt, Math.max(lastAt, firstAt + stepMs)], [0, WIDTH]);
  const y = scaleLinear([0, topOf(known.map(({ p50, p95 }) => p95 ?? p50 ?? 0))], [HEIGHT, 0]).nice(4);
  const medians = known.map(({ p50 }) => p50 ?? 0);
  const text = t.service.chart(label, format.number(Math.min(...medians)), format.number(Math.max(...medians)));
  return (
    <figure>
      <div class="chart">
        <div class="y" aria-hidden="true">
          {[...y.ticks(4)].reverse().map((tick) => (
            <span key={tick}>{t.service.milliseconds(format.number(tick))}</span>
          ))}
        </div>
        <Plot label={text} points={points} stepMs={stepMs} x={x} y={y} ticks={y.ticks(4)} />
        <svg class="x" aria-hidden="true">
          {(stepMs < DAY ? hourTicks(firstAt, lastAt, format) : dayTicks(x.ticks(6), format))
            .filter(({ at }) => x(at) < LAST_LABEL * WIDTH)
            .map(({ at, text: label }) => (
              <text key={at} x={`${((100 * x(at)) / WIDTH).toFixed(1)}%`} y="13">
                {label}
              </text>
            ))}
        </svg>
      </div>
      <Keys slowest={Math.max(...known.map((point) => point.slowest))} hasOutage={points.some(isDown)} />
    </figure>
  );
}

/** The script of the pages reads the values out. */
function Plot({ label, points, stepMs, x, y, ticks }: PlotProps) {
  const { t, site } = useView();
  const drawn = withoutPauses(points);
  const texts = [t.service.p50, t.service.p95, ...SILENT_STATES.map((state) => (state === 'outage' ? t.service.noAnswer : t.states[state]))];
  // Without an answer: the place of the text for the state, as a negative number.
  const medians = points.map(({ p50, state }) => p50 ?? -(2 + SILENT_STATES.indexOf(state)));
  return (
    <div
      class="plot"
      tabIndex={0}
      role="img"
      aria-label={label}
      data-count={points.length}
      data-first={0}
      data-start={points[0]?.at}
      data-step={stepMs}
      data-zone={site.timeZone}
      data-p50={medians.join()}
      data-p95={points.map(({ p95 }) => p95 ?? '').join()}
      data-texts={texts.join('\t')}
    >
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="grid" d={ticks.map((tick) => `M0 ${y(tick).toFixed(1)}H${String(WIDTH)}`).join('')} />
        <path class="down" d={bandsOf(drawn, x, stepMs)} />
        <path class="area" d={areaOf(drawn, x, y)} />
        <path class="p95" d={lineOf(drawn, 'p95', x, y)} />
        <path class="p50" d={lineOf(drawn, 'p50', x, y)} />
      </svg>
    </div>
  );
}

function Keys({ slowest, hasOutage }: { readonly slowest: number; readonly hasOutage: boolean }) {
  const { t, format } = useView();
  const keys = [
    { of: 'p50', text: t.service.p50, width: 22, height: 8, path: 'M0 4h22' },
    { of: 'p95', text: t.service.p95, width: 22, height: 8, path: 'M0 4h22' },
    { of: 'down', text: t.service.noAnswer, width: 10, height: 10, path: 'M0 0h10v10H0z' },
  ];
  return (
    <figcaption class="keys">
      {keys.slice(0, hasOutage ? 3 : 2).map(({ of, text, width, height, path }) => (
        <span key={of}>
          <svg width={width} height={height} viewBox={`0 0 ${String(width)} ${String(height)}`} aria-hidden="true">
            <path class={of} d={path} />
          </svg>
          {text}
        </span>
      ))}
      <span>{t.service.cut(format.number(slowest))}</span>
    </figcaption>
  );
}

type Scale = (value: number) => number;

/**
 * The highest value, or a multiple of the usual ones if a few spikes are far above them. The newest value is always within it: a service that has just
 * become slow shows how slow it is.
 *
 * @param values oldest first
 */
function topOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 1;
  return Math.max(1, values.at(-1) ?? 1, Math.min(sorted.at(-1) ?? 1, SPIKE * usual));
}

/** To a tenth of a unit, because more digits only make the page longer. */
const rounded = (value: number): number => Math.round(10 * value) / 10;

function lineOf(points: readonly ChartPoint[], which: 'p50' | 'p95', x: Scale, y: Scale): string {
  const draw = line<ChartPoint>(
    ({ at }) => rounded(x(at)),
    (point) => rounded(Math.max(0, y(point[which] ?? 0))),
  );
  return draw.defined((point) => point[which] !== null)(points) ?? '';
}

function areaOf(points: readonly ChartPoint[], x: Scale, y: Scale): string {
  const draw = area<ChartPoint>(
    ({ at }) => rounded(x(at)),
    HEIGHT,
    ({ p50 }) => rounded(Math.max(0, y(p50 ?? 0))),
  );
  return draw.defined(({ p50 }) => p50 !== null)(points) ?? '';
}

/** How much longer than usual a pause between two checks is a gap. */
const LONG_PAUSE = 2;

/** Without the steps between two checks: a service may be checked more seldom than once in a step. Longer pauses than usual stay as gaps. */
function withoutPauses(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const checked = points.flatMap(({ isChecked }, index) => (isChecked ? [index] : []));
  const pauses = checked.slice(1).map((index, at) => ({ index, length: index - (checked[at] ?? 0) }));
  const usual = pauses.map(({ length }) => length).sort((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 1;
  const short = pauses.filter(({ length }) => length <= LONG_PAUSE * usual);
  const passed = new Set(short.flatMap(({ index, length }) => Array.from({ length: length - 1 }, (_, step) => index - 1 - step)));
  return points.filter((_, index) => !passed.has(index));
}

/** Each band stands around its value, and reaches half the way to the next ones. */
function bandsOf(points: readonly ChartPoint[], x: Scale, stepMs: number): string {
  return points
    .map((point, index) => ({ ...point, before: points[index - 1]?.at ?? point.at - stepMs, after: points[index + 1]?.at ?? point.at + stepMs }))
    .filter(isDown)
    .map(({ at, before, after }) => {
      const [start, end] = [Math.max(0, x((before + at) / 2)), Math.min(WIDTH, x((at + after) / 2))].map(rounded);
      return `M${String(start)} 0H${String(end)}V${String(HEIGHT)}H${String(start)}z`;
    })
    .join('');
}

const SPARK = { step: 4, height: 24, margin: 3 } as const;

/** A small line without an axis, on a scale that begins at zero. @param props.values oldest first; `null` has no place on the line */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const { step, height, margin } = SPARK;
  const known = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const last = known.at(-1);
  if (last === undefined || known.length < 2) return null;
  const top = topOf(known.map(({ value }) => value));
  const x = (index: number): number => index * step;
  const y = (value: number): number => Math.round(height - 1 - (height - 1 - margin) * Math.min(1, value / top));
  const drawn = `M${known.map(({ at, value }) => `${String(x(at))},${String(y(value))}`).join('L')}`;
  return (
    <svg class="spark" viewBox={`0 0 ${String(x(values.length - 1))} ${String(height)}`} aria-hidden="true">
      <path class="area" d={`${drawn}V${String(height)}H${String(x(known[0]?.at ?? 0))}z`} />
      <path d={drawn} />
      <circle cx={x(last.at)} cy={y(last.value)} r="2.2" />
    </svg>
  );
}

/** Days are UTC days. */
function dayTicks(ticks: readonly Date[], format: Formatter) {
  return ticks.map(Number).flatMap((at) => (at % DAY === 0 ? [{ at, text: format.monthDay(at) }] : []));
}

const TICK_HOURS = [1, 3, 6, 12];
const MOST_TICKS = 8;

/** Full hours of the time zone of the site; at its midnights, the day that begins. */
function hourTicks(first: Instant, last: Instant, format: Formatter) {
  const every = HOUR * (TICK_HOURS.find((hours) => last - first <= MOST_TICKS * hours * HOUR) ?? 24);
  const start = first + ((HOUR - (format.localOf(first) % HOUR)) % HOUR);
  return Array.from({ length: Math.floor((last - start) / HOUR) + 1 }, (_, index) => start + index * HOUR).flatMap((at) => {
    const local = format.localOf(at);
    return local % every === 0 ? [{ at, text: local % DAY === 0 ? format.monthDay(local) : format.clock(at) }] : [];
  });
}
