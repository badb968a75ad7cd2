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
import { listFigures } from './lists.js';
import type { Figure } from './measure.js';
import { mongoListFigures } from './mongo-lists.js';
import { mongoSearchFigures } from './mongo-search.js';
import { mongoStatusFigures } from './mongo-status.js';
import { mongoWritingFigures } from './mongo-writing.js';
import { demoPageFigures } from './pages-demo.js';
import { servedPageFigures } from './pages-served.js';
import { probeSourceFigures } from './probe-sources.js';
import { importFigures } from './records-import.js';
import { searchFigures } from './search.js';
import { siteFigures } from './site.js';
import { sqliteBusySearchFigures } from './sqlite-busy-search.js';
import { sqliteListFigures } from './sqlite-lists.js';
import { sqliteSearchFigures } from './sqlite-search.js';
import { sqliteStartFigures } from './sqlite-start.js';
import { sqliteStatusFigures } from './sqlite-status.js';
import { sqliteWritingFigures } from './sqlite-writing.js';
import { largeStoreFigures, ownHistoryFigures } from './start.js';
import { statusFigures } from './status.js';

/** Figures that are measured together, in their own process. */
export interface Group {
  readonly measure: () => Promise<readonly Figure[]>;
  readonly needsMongod: boolean;
  /** The git paths of the code that the figures depend on. If any of it changes, the figures are outdated. */
  readonly code: readonly string[];
}

const bench = (...names: readonly string[]) =>
  [...names, 'measure', 'wrong-answer', 'child-process', 'element-of'].map((name) => `bench/src/${name}.ts`);
const sources = (...folders: readonly string[]) => ['pnpm-lock.yaml', 'tsconfig.base.json', ...folders.map((folder) => `${folder}/src`)];

const core = 'packages/core';
const mongo = [core, 'packages/adapters-mongo'];
const sqlite = [core, 'packages/adapters-sqlite'];
const pages = [...sqlite, 'packages/pages', 'apps/http'];
const mongod = ['mongod', 'mongo-server', 'serve-vitrine', 'mongo-commits', 'mongo-hand-written', 'served'];
const collector = ['packages/config', 'packages/collector'];
const underLoad = ['served', 'wrk', 'contest', 'wire-answer', 'missing-program'];
const sqliteStore = ['sqlite-store', 'sqlite-world', 'search-world', 'memory-world'];
const searching = ['search-oracle', 'memory-world'];

/** Every group by its name. */
export const groups: Readonly<Record<string, Group>> = {
  lists: embedded(listFigures, [...sources(...sqlite), ...bench('lists', 'memory-world')]),
  search: embedded(searchFigures, [...sources(...sqlite), ...bench('search', 'search-questions', ...searching)]),
  status: embedded(statusFigures, [...sources(...sqlite), ...bench('status', 'memory-world')]),
  git: embedded(gitFigures, [...sources(core, ...collector), ...bench('git-source', 'git-source-run', 'generate-git-repository')]),
  findings: embedded(findingFigures, [...sources(...sqlite, ...collector), ...bench('findings', 'generate-git-repository')]),
  sources: embedded(sourceFigures, [
    ...sources(...sqlite, ...collector),
    ...bench('collected', 'feed-sources', 'feed-server', 'forge-sources', 'forge-server', 'probe-sources', 'virtual-timers', 'garbage'),
  ]),
  import: embedded(importFigures, [...sources(...sqlite, ...collector), ...bench('records-import', 'memory-world', 'garbage')]),
  http: embedded(httpFigures, [
    ...sources(core, 'packages/adapters-memory', 'apps/http'),
    ...bench('http-list', 'http-server', 'serve-vitrine', 'memory-world', ...underLoad),
    'bench/wrk',
  ]),
  'http-cache': onMongod(httpCacheFigures, [
    ...sources(...mongo, 'packages/adapters-sqlite', ...collector, 'apps/http'),
    ...bench(
      'http-cache',
      'cached-list',
      'list-store',
      'memory-world',
      'plain-server',
      'idle-connections',
      'idle-clients',
      'vitrine-process',
      ...underLoad,
    ),
    ...bench('parse-contest', 'peers', 'parse-server', 'parse-documents', 'mongod', 'mongo-commits'),
    'bench/wrk',
    'bench/peers/parse-server',
  ]),
  start: embedded(ownHistoryFigures, [
    ...sources(...sqlite, ...collector, 'apps/http'),
    ...bench('start', 'vitrine-process', ...searching),
    'vitrine.yaml',
  ]),
  collector: embedded(collectorFigures, [
    ...sources(...sqlite, ...collector, 'apps/http'),
    ...bench('collector', 'hostile-feed-server', 'vitrine-process'),
  ]),
  'large-store': embedded(largeStoreFigures, [...sources(...sqlite, ...collector, 'apps/http'), ...bench('start', 'vitrine-process', ...searching)]),
  site: embedded(siteFigures, [
    ...sources(...sqlite, ...collector, 'packages/pages', 'packages/feeds', 'apps/http', 'apps/collector'),
    ...bench('site'),
    'packages/pages/assets',
    'examples/demo.ndjson',
    'test-support/src/site-links.ts',
  ]),
  'sqlite-lists': embedded(sqliteListFigures, [...sources(...sqlite), ...bench('sqlite-lists', ...sqliteStore)]),
  'pages-demo': embedded(demoPageFigures, [
    ...sources(...pages, ...collector),
    'packages/pages/assets',
    'examples/demo.ndjson',
    ...bench('pages-demo', 'page-answer', 'vitrine-process', 'wire-answer'),
  ]),
  'pages-served': embedded(servedPageFigures, [
    ...sources(...pages),
    ...bench('pages-served', 'page-answer', 'page-server', 'serve-vitrine', ...underLoad, ...sqliteStore),
    'bench/wrk',
  ]),
  'pages-activity': embedded(activityFigures, [...sources(...sqlite), ...bench('activity', ...sqliteStore)]),
  lighthouse: embedded(lighthouseFigures, [
    ...sources(...pages, ...collector),
    'packages/pages/assets',
    'examples/demo.ndjson',
    ...bench('lighthouse', 'peers', 'missing-program', 'vitrine-process'),
    'bench/peers/lighthouse',
  ]),
  'sqlite-search': embedded(sqliteSearchFigures, [
    ...sources(...sqlite),
    ...bench('sqlite-search', 'search-oracle', 'search-queries', 'search-questions', ...sqliteStore),
    'bench/queries.json',
  ]),
  'sqlite-busy-search': embedded(sqliteBusySearchFigures, [
    ...sources(...sqlite, 'apps/http'),
    ...bench('sqlite-busy-search', 'sqlite-server', 'serve-vitrine', 'served', ...sqliteStore),
  ]),
  'sqlite-writing': embedded(sqliteWritingFigures, [
    ...sources(...sqlite, ...collector),
    ...bench('sqlite-writing', 'records-import', 'memory-world', 'garbage'),
  ]),
  'sqlite-start': embedded(sqliteStartFigures, [...sources(...sqlite), ...bench('sqlite-start', 'sqlite-start-process', ...sqliteStore)]),
  'sqlite-status': embedded(sqliteStatusFigures, [
    ...sources(...sqlite, 'apps/http'),
    ...bench('sqlite-status', 'sqlite-server', 'status-history', 'stored-checks', 'serve-vitrine', 'served', ...sqliteStore),
  ]),
  'mongo-lists': onMongod(mongoListFigures, [
    ...sources(...mongo, 'apps/http'),
    ...bench(...mongod, 'mongo-lists', 'mongo-pages', 'mongo-contest', ...underLoad),
    'bench/wrk',
  ]),
  'mongo-status': onMongod(mongoStatusFigures, [
    ...sources(...mongo, 'apps/http'),
    ...bench(...mongod, 'mongo-status', 'mongo-status-history', 'mongo-checks', 'mongo-stored-checks', 'status-history', 'stored-checks'),
  ]),
  'mongo-search': onMongod(mongoSearchFigures, [
    ...sources(...mongo, 'apps/http'),
    ...bench('mongod', 'mongo-search', 'search-world', 'search-queries', 'search-questions', ...searching),
    'bench/queries.json',
  ]),
  'mongo-writing': onMongod(mongoWritingFigures, [...sources(...mongo), ...bench('mongod', 'mongo-writing', 'search-world', 'garbage')]),
  'hidden-words': onMongod(hiddenWordFigures, [...sources(...mongo, 'packages/adapters-sqlite'), ...bench('mongod', 'hidden-words')]),
};

async function sourceFigures(): Promise<readonly Figure[]> {
  return [...(await feedSourceFigures()), ...(await forgeSourceFigures()), ...(await probeSourceFigures())];
}

function embedded(measure: Group['measure'], code: readonly string[]): Group {
  return { measure, needsMongod: false, code };
}

function onMongod(measure: Group['measure'], code: readonly string[]): Group {
  return { measure, needsMongod: true, code };
}

/** The group of a name. */
export function groupOf(name: string): Group {
  const group = groups[name];
  if (group === undefined) throw new Error(`There is no group "${name}". The groups are: ${Object.keys(groups).join(', ')}.`);
  return group;
}
