import { activityFigures } from './activity.js';
import { collectorFigures } from './collector.js';
import { feedSourceFigures } from './feed-sources.js';
import { findingFigures } from './findings.js';
import { forgeSourceFigures } from './forge-sources.js';
import { gitFigures } from './git-source.js';
import { hiddenWordFigures } from './hidden-words.js';
import { httpCacheFigures } from './http-cache.js';
import { httpFigures } from './http-list.js';
import { lighthouseFigures } from './lighthouse.js';
import type { Figure } from './measure.js';
import { mongoListFigures } from './mongo-lists.js';
import { mongoStatusFigures } from './mongo-status.js';
import { mongoWritingFigures } from './mongo-writing.js';
import { demoPageFigures } from './pages-demo.js';
import { servedPageFigures } from './pages-served.js';
import { probeSourceFigures } from './probe-sources.js';
import { importFigures } from './records-import.js';
import { siteFigures } from './site.js';
import { sqliteBusySearchFigures } from './sqlite-busy-search.js';
import { sqliteListFigures } from './sqlite-lists.js';
import { sqliteSearchFigures } from './sqlite-search.js';
import { sqliteStartFigures } from './sqlite-start.js';
import { sqliteStatusFigures } from './sqlite-status.js';
import { sqliteWritingFigures } from './sqlite-writing.js';
import { largeStoreFigures, ownHistoryFigures } from './start.js';

/** Figures that are measured together, in their own process. */
export interface Group {
  readonly measure: () => Promise<readonly Figure[]>;
  readonly needsMongod: boolean;
}

/** Every group by its name. */
export const groups: Readonly<Record<string, Group>> = {
  git: { measure: gitFigures, needsMongod: false },
  findings: { measure: findingFigures, needsMongod: false },
  sources: { measure: sourceFigures, needsMongod: false },
  import: { measure: importFigures, needsMongod: false },
  http: { measure: httpFigures, needsMongod: false },
  'http-cache': { measure: httpCacheFigures, needsMongod: false },
  start: { measure: ownHistoryFigures, needsMongod: false },
  collector: { measure: collectorFigures, needsMongod: false },
  'large-store': { measure: largeStoreFigures, needsMongod: false },
  site: { measure: siteFigures, needsMongod: false },
  'sqlite-lists': { measure: sqliteListFigures, needsMongod: false },
  'pages-demo': { measure: demoPageFigures, needsMongod: false },
  'pages-served': { measure: servedPageFigures, needsMongod: false },
  'pages-activity': { measure: activityFigures, needsMongod: false },
  lighthouse: { measure: lighthouseFigures, needsMongod: false },
  'sqlite-search': { measure: sqliteSearchFigures, needsMongod: false },
  'sqlite-busy-search': { measure: sqliteBusySearchFigures, needsMongod: false },
  'sqlite-writing': { measure: sqliteWritingFigures, needsMongod: false },
  'sqlite-start': { measure: sqliteStartFigures, needsMongod: false },
  'sqlite-status': { measure: sqliteStatusFigures, needsMongod: false },
  'mongo-lists': { measure: mongoListFigures, needsMongod: true },
  'mongo-status': { measure: mongoStatusFigures, needsMongod: true },
  'mongo-writing': { measure: mongoWritingFigures, needsMongod: true },
  'hidden-words': { measure: hiddenWordFigures, needsMongod: false },
};

async function sourceFigures(): Promise<readonly Figure[]> {
  return [...(await feedSourceFigures()), ...(await forgeSourceFigures()), ...(await probeSourceFigures())];
}

/** The group of a name. */
export function groupOf(name: string): Group {
  const group = groups[name];
  if (group === undefined) throw new Error(`There is no group "${name}". The groups are: ${Object.keys(groups).join(', ')}.`);
  return group;
}
