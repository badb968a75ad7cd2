import { UPTIME_WINDOWS, type ServiceStatus, type UptimeWindowName } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import { ScrollingTable } from './scrolling-table.js';

const WINDOWS = Object.keys(UPTIME_WINDOWS) as readonly UptimeWindowName[];

/** The uptime of services in each published window, with the number of rated checks. */
export function WindowTable({ services }: { readonly services: readonly ServiceStatus[] }) {
  const { t, links } = useView();
  return (
    <ScrollingTable label={t.service.windows} headings={[t.services, ...WINDOWS.map((name) => t.windows[name])]}>
      {services.map((service) => (
        <tr key={service.key}>
          <th scope="row">
            <a href={links.record('status-service', service.key)} dir="auto">
              {serviceName(service)}
            </a>
          </th>
          {WINDOWS.map((name) => (
            <td key={name}>
              <Figure figure={service.windows[name]} />
            </td>
          ))}
        </tr>
      ))}
    </ScrollingTable>
  );
}

function Figure({ figure: { uptimePercent, checksTracked } }: { readonly figure: ServiceStatus['windows'][UptimeWindowName] }) {
  const { t, format } = useView();
  if (uptimePercent === null) return <span class="soft">{t.states.unknown}</span>;
  return (
    <>
      {format.percent(uptimePercent)} <span class="soft nowrap">{t.bars.ofChecks(checksTracked, format.number(checksTracked))}</span>
    </>
  );
}
