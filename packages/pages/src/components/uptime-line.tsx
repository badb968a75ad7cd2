import type { UptimeFigure } from '@vitrine/core';
import { useView } from '../view.js';

interface UptimeLineProps {
  readonly figure: UptimeFigure;
  /** The share of the time that checks cover; `null` if it is not known. */
  readonly coveragePercent: number | null;
}

/** The uptime of a service with the number of checks behind it. */
export function UptimeLine({ figure, coveragePercent }: UptimeLineProps) {
  const { t, format } = useView();
  const { uptimePercent, checksTracked } = figure;
  if (uptimePercent === null) return <span>{t.bars.noFigure}</span>;
  return (
    <span>
      <b>{format.percent(uptimePercent)}</b> {t.bars.uptime} {t.bars.ofChecks(checksTracked, format.number(checksTracked))}
      {coveragePercent === null || coveragePercent === 100 ? '' : `, ${t.bars.coverage(format.percent(coveragePercent))}`}
    </span>
  );
}
