import type { ServiceState } from '@vitrine/core';
import { useView } from '../view.js';

const HEIGHT = 34;

/** How a picture divides its width: into days, with a gap at the end of each day or of each run of days with the same state. */
interface Scale {
  readonly step: number;
  readonly gap: number;
  readonly className: string;
}

/** The style sheet cuts lines into bars of 7 with gaps of 3. */
const APART: Scale = { step: 10, gap: 3, className: 'bars apart' };
const TOGETHER: Scale = { step: 3, gap: 1, className: 'bars' };
const MOST_APART = 120;

/** The pattern of days that nobody checked. It is defined once on each page that has bars. */
export function Hatch() {
  return (
    <svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse">
          <path d="M0 5L5 0" />
        </pattern>
      </defs>
    </svg>
  );
}

/** One bar for each day, oldest first, as one picture with one path for each state. @param props.days the state of each day, newest first */
export function Bars({ name, days }: { readonly name: string; readonly days: readonly ServiceState[] }) {
  const { t } = useView();
  const checked = days.filter((state) => state !== 'unknown').length;
  const good = days.filter((state) => state === 'operational').length;
  const scale = days.length > MOST_APART ? TOGETHER : APART;
  const lines = linesOf(days, scale);
  return (
    <div class={scale.className}>
      <svg
        viewBox={`0 0 ${String(days.length * scale.step - scale.gap)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.bars.label(name, good, checked)}
      >
        {[...lines].map(([state, path]) => (
          <path key={state} class={state} d={path} {...(state === 'unknown' && { stroke: 'url(#hatch)' })} />
        ))}
      </svg>
    </div>
  );
}

/**
 * The path of each state. Neighbouring days are one line, because each day alone would make the page ten times as long.
 *
 * @param days newest first
 */
function linesOf(days: readonly ServiceState[], { step, gap }: Scale): ReadonlyMap<ServiceState, string> {
  const paths = new Map<ServiceState, string>();
  const place = (index: number): number => (days.length - 1 - index) * step;
  for (let newest = 0, oldest = 0; newest < days.length; newest = ++oldest) {
    const state = days[newest] ?? 'unknown';
    while (days[oldest + 1] === state) oldest++;
    const line = `M${String(place(oldest))} ${String(HEIGHT / 2)}H${String(place(newest) + step - gap)}`;
    paths.set(state, line + (paths.get(state) ?? ''));
  }
  return paths;
}
