import { collectorFigures } from './collector.js';
import { feedSourceFigures } from './feed-sources.js';
import { findingFigures } from './findings.js';
import { forgeSourceFigures } from './forge-sources.js';
import { gitFigures } from './git-source.js';
import { httpCacheFigures } from './http-cache.js';
import { httpFigures } from './http-list.js';
import { lighthouseFigures } from './lighthouse.js';
import type { Figure } from './measure.js';
import { mongoListFigures } from './mongo-lists.js';
import { mongoSearchFigures } from './mongo-search.js';
import { mongoStatusFigures } from './mongo-status.js';
import { mongoWritingFigures } from './mongo-writing.js';
import { demoPageFigures } from './pages-demo.js';
import { servedPageFigures } from './pages-served.js';
import { probeSourceFigures } from './probe-sources.js';
import { siteFigures } from './site.js';
import { sqliteListFigures } from './sqlite-lists.js';
import { sqliteSearchFigures } from './sqlite-search.js';
import { sqliteStartFigures } from './sqlite-start.js';
import { sqliteStatusFigures } from './sqlite-status.js';
import { sqliteWritingFigures } from './sqlite-writing.js';
import { startFigures } from './start.js';

/** Figures that are measured together, in their own process, by the name of their group. */
export const groups: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  git: gitFigures,
  findings: findingFigures,
  sources: async () => [...(await feedSourceFigures()), ...(await forgeSourceFigures()), ...(await probeSourceFigures())],
  http: httpFigures,
  'http-cache': httpCacheFigures,
  start: startFigures,
  collector: collectorFigures,
  site: siteFigures,
  'sqlite-lists': sqliteListFigures,
  'pages-demo': demoPageFigures,
  'pages-served': servedPageFigures,
  lighthouse: lighthouseFigures,
  'sqlite-search': sqliteSearchFigures,
  'sqlite-writing': sqliteWritingFigures,
  'sqlite-start': sqliteStartFigures,
  'sqlite-status': sqliteStatusFigures,
  'mongo-lists': mongoListFigures,
  'mongo-search': mongoSearchFigures,
  'mongo-status': mongoStatusFigures,
  'mongo-writing': mongoWritingFigures,
};
