import type { ServiceStatus } from '@vitrine/core';
import { useView } from '../view.js';

/** The uptime of a service with the number of checks behind it. */
export function UptimeLine({ service }: { readonly service: ServiceStatus }) {
  const { t, format } = useView();
  const { uptimePercent, checksTracked, coveragePercent } = service;
  if (uptimePercent === null) return <span>{t.bars.noFigure}</span>;
  return (
    <span>
      <b>{format.percent(uptimePercent)}</b> {t.bars.uptime} {t.bars.ofChecks(checksTracked, format.number(checksTracked))}
      {coveragePercent === null || coveragePercent === 100 ? '' : `, ${t.bars.coverage(format.percent(coveragePercent))}`}
    </span>
  );
}
