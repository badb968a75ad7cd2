import type { Instant } from '@vitrine/core';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Messages, messagesOf } from './messages/messages.js';
import { PageLinks, type PlaceName, PLACES, type SiteCopy } from './page-links.js';
import { DEFAULT_SITE, type Place, type Site } from './site.js';
import type { TextTask } from './text/worker-text-renderer.js';
import { type Formatter, formatterOf } from './text/formatter.js';

/** What every component needs beside its data. */
export interface View {
  readonly site: Site;
  readonly t: Messages;
  readonly links: PageLinks;
  /** Where the site is, without a slash at its end. */
  readonly publicUrl: string;
  readonly format: Formatter;
  /** When the page is made. */
  readonly now: Instant;
  /** The copy of the site that is made; `null` for pages that Vitrine serves. */
  readonly copy: SiteCopy | null;
  /** The rendered text of a record; `null`: it is shown as it is. */
  readonly textOf: (task: TextTask) => string | null;
  /** What the team has. */
  readonly present: ReadonlySet<PlaceName>;
}

/** The other names of UTC. */
const UTC = /^(?:etc\/)?(?:uct|utc|universal|zulu|greenwich|gmt(?:[+-]?0)?)$/i;

export function viewOf(asked: Site, { basePath, copy = null }: Pick<Place, 'basePath' | 'copy'>): View {
  const site = UTC.test(asked.timeZone) ? { ...asked, timeZone: 'UTC' } : asked;
  return {
    site,
    t: messagesOf(site.language),
    links: new PageLinks(basePath, copy),
    publicUrl: '',
    format: formatterOf(site.language, site.timeZone),
    now: 0,
    copy,
    textOf: () => null,
    present: new Set(PLACES),
  };
}

export const ViewContext = createContext<View>(viewOf(DEFAULT_SITE, { basePath: '' }));

export function useView(): View {
  return useContext(ViewContext);
}
