import type { ServiceState } from '@vitrine/core';

/** Line drawings on a grid of 24 by 24. Each state has a shape, because some people cannot tell the colours apart. */
const ICONS = {
  operational: 'M12 3a9 9 0 1 0 .01 0zM8 12.5l2.8 2.8L16 9.5',
  degraded: 'M12 3.5 22 20.5H2zM12 10v4.5M12 17.4v.1',
  outage: 'M8.2 3h7.6L21 8.2v7.6L15.8 21H8.2L3 15.8V8.2zM9 9l6 6M15 9l-6 6',
  maintenance: 'M12 2.5 21.5 12 12 21.5 2.5 12zM12 8v4.5h3',
  unknown: 'M12 3a9 9 0 1 0 .01 0zM8.5 12h7',
  article: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  bell: 'M6 10a6 6 0 1 1 12 0c0 5 2 6 2 6H4s2-1 2-6M10 20h4',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5v4M15.5 3.5v4',
  chevron: 'M9 6l6 6-6 6',
  close: 'M7 7l10 10M17 7L7 17',
  commit: 'M12 8.5a3.5 3.5 0 1 0 .01 0zM2.5 12h6M15.5 12h6',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  down: 'M6 9l6 6 6-6',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  finding: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3',
  identified: 'M12 21s7-6.4 7-11.5a7 7 0 1 0-14 0C5 14.6 12 21 12 21M12 7.2a2.3 2.3 0 1 0 .01 0z',
  investigating: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9.2a2.8 2.8 0 1 0 .01 0z',
  mission: 'M5 21V4h13l-2.5 4L18 12H5',
  news: 'M4 5h12v14H6a2 2 0 0 1-2-2zM16 9h4v8a2 2 0 0 1-2 2M7.5 9h5M7.5 12.5h5M7.5 16h3',
  release: 'M3.5 12.3V4.5a1 1 0 0 1 1-1h7.8l8.2 8.2-8.8 8.8zM8 8v.1',
  repository: 'M6 3h13v18H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M4 17.5h15',
  search: 'M11 4.5a6.5 6.5 0 1 0 .01 0zM16 16l4.5 4.5',
  sunrise: 'M4 17h16M7 17a5 5 0 0 1 10 0M12 6V4M5.5 9.5 4 8M18.5 9.5 20 8',
  video: 'M3.5 6h12v12h-12zM15.5 10.5l5-3v9l-5-3',
} as const satisfies Readonly<Record<string, string>> & Readonly<Record<ServiceState, string>>;

export type IconName = keyof typeof ICONS;

/** A picture beside a text that says the same. */
export function Icon({ name, class: more }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={more === undefined ? 'i' : `i ${more}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** What kind of thing it is, on a rail. */
export function Node({ icon, tone }: { readonly icon: IconName; readonly tone?: string | undefined }) {
  return (
    <span class={tone === undefined ? 'node' : `node ${tone}`}>
      <Icon name={icon} />
    </span>
  );
}
