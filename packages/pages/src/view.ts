import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { messagesOf, type Messages } from './messages/messages.js';
import { PageLinks } from './page-links.js';
import { DEFAULT_SITE, type Site } from './site.js';
import { Formatter } from './text/formatter.js';

/** What every component needs beside its data. */
export interface View {
  readonly site: Site;
  readonly t: Messages;
  readonly links: PageLinks;
  readonly format: Formatter;
}

export function viewOf(site: Site, basePath: string): View {
  return { site, t: messagesOf(site.language), links: new PageLinks(basePath), format: new Formatter(site.language, site.timeZone) };
}

export const ViewContext = createContext<View>(viewOf(DEFAULT_SITE, ''));

export function useView(): View {
  return useContext(ViewContext);
}
