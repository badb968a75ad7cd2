import type { DayStatus } from '@vitrine/core';
import { useView } from '../view.js';

const WIDTH = 900;
const HEIGHT = 160;

interface Point {
  readonly x: number;
  readonly p50: number;
  readonly p95: number;
}

/** The response times of each day as two lines: the median, and the time below which 95 % are. @param days newest first */
export function ResponseChart({ days }: { readonly days: readonly DayStatus[] }) {
  const { t, format } = useView();
  const points = pointsOf(days);
  const [newest, oldest] = [days[0], days.at(-1)];
  if (points.length === 0 || newest === undefined || oldest === undefined) return <p class="soft">{t.service.noResponse}</p>;
  const most = Math.max(1, ...points.map(({ p95 }) => p95));
  const label = t.service.chart(format.shortDay(oldest.day), format.shortDay(newest.day));
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path class="grid" d={`M0 .5H${String(WIDTH)}M0 ${String(HEIGHT / 2)}H${String(WIDTH)}M0 ${String(HEIGHT - 0.5)}H${String(WIDTH)}`} />
        <path class="p95" d={lineOf(points, 'p95', most)} />
        <path class="p50" d={lineOf(points, 'p50', most)} />
      </svg>
      <figcaption class="meta">
        <span class="key p50">{t.service.p50}</span>
        <span class="key p95">{t.service.p95}</span>
        <span>0 – {t.service.milliseconds(format.number(most))}</span>
      </figcaption>
    </figure>
  );
}

function pointsOf(days: readonly DayStatus[]): readonly Point[] {
  const step = WIDTH / Math.max(1, days.length - 1);
  return [...days].reverse().flatMap(({ responseTimeMs }, index) => (responseTimeMs === null ? [] : { x: index * step, ...responseTimeMs }));
}

function lineOf(points: readonly Point[], which: 'p50' | 'p95', most: number): string {
  const at = ({ x, ...values }: Point): string => `${x.toFixed(1)} ${(HEIGHT - (values[which] / most) * (HEIGHT - 8)).toFixed(1)}`;
  return `M${points.map(at).join('L')}${points.length === 1 ? 'h1' : ''}`;
}
