import type { ServiceState } from '@vitrine/core';

/** The mark of sites without a logo, on a grid of 24 by 24. */
export const MARK = 'M3 7a4 4 0 0 1 4-4h4v8H3zM13 3h4a4 4 0 0 1 4 4v4h-8zM3 13h8v8H7a4 4 0 0 1-4-4zM17 13a4 4 0 1 0 .01 0z';

/** A colour that can be seen on light and on dark tabs, and a shape for each state. */
export const BADGES: Readonly<Record<ServiceState, readonly [colour: string, shape: string]>> = {
  operational: ['#23935c', 'M9.5 16.5l4.5 4.5L23 11.5'],
  degraded: ['#c47a00', 'M16 8v10M16 23v.5'],
  outage: ['#d13434', 'M10.5 10.5l11 11M21.5 10.5l-11 11'],
  maintenance: ['#4a7be0', 'M9 16h14'],
  unknown: ['#77808d', 'M12.5 12.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M16 23v.5'],
};

/** The icon of the pages, which shows the overall state. */
export function favicon(state: ServiceState): string {
  const [colour, shape] = BADGES[state];
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${colour}"/>` +
    `<path d="${shape}" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>\n`
  );
}
