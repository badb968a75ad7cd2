import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '@vitrine/test-support';
import { atLeast, mustBe, percentile, type Figure } from '../measure.js';
import { root, serveVitrine } from '../processes.js';
import { COMMITS_PATH, jsonOf, type ApiList } from '../wire.js';

const LIMITS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof LIMITS;

const ALL = Object.keys(LIMITS) as readonly Category[];
/** Search engines are asked not to list these pages, so they cannot reach that score. */
const UNLISTED = ALL.filter((category) => category !== 'seo');

/** One page of each kind that people come to first. @param url where the demo is served */
async function judgedPages(url: string): Promise<readonly (readonly [name: string, path: string, categories: readonly Category[]])[]> {
  const commits = await jsonOf<ApiList<{ readonly href: string }>>(`${url}${COMMITS_PATH}?limit=1`);
  return [
    ['overview', '/', ALL],
    ['status', '/status', ALL],
    ['service', '/status/services/acme%3Awidget-api', ALL],
    ['releases', '/releases', ALL],
    ['commit', commits.data[0]?.href.replace('/api/v1/development', '') ?? '', ALL],
    ['search', '/search?q=widget', UNLISTED],
    // The browser logs the status of the page as an error, so it cannot reach the score of best practices.
    ['not found', '/nothing', ['performance', 'accessibility']],
  ];
}

/** Times of a page differ, so the median of several runs counts. */
const RUNS = 3;
const LONGEST_MS = 3 * 60_000;
const CHROMIUM = '--headless=new --no-sandbox --disable-dev-shm-usage';

interface Report {
  readonly lighthouseVersion: string;
  readonly finalDisplayedUrl: string;
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string; readonly displayValue?: string }>>;
}

export async function figures(): Promise<readonly Figure[]> {
  const chromium = findChromium(process.env);
  if (chromium === null) throw new Error('Lighthouse needs Chromium. Install it, or name it in VITRINE_CHROMIUM.');
  const folder = await installedLighthouse();
  const { url } = await serveVitrine({ config: null });
  const rows: Figure[] = [];
  for (const [name, path, categories] of await judgedPages(url)) {
    const reports: Report[] = [];
    for (let run = 0; run < RUNS; run++) reports.push(await reportOf(url + path, categories, folder, chromium));
    rows.push(...categories.map((category) => rowOf(name, category, reports)));
  }
  return rows;
}

/** Lighthouse is not part of the workspace, so that nobody else installs it. It stays in an ignored folder until its lockfile changes. */
async function installedLighthouse(): Promise<string> {
  const [peer, folder] = [join(root, 'bench/peers/lighthouse'), join(root, '.cache/bench-peers/lighthouse')];
  const lockOf = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (existsSync(join(folder, 'node_modules/lighthouse')) && lockOf(folder) === lockOf(peer)) return folder;
  process.stderr.write('installing Lighthouse ...\n');
  await rm(folder, { recursive: true, force: true });
  await cp(peer, folder, { recursive: true });
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: LONGEST_MS });
  return folder;
}

async function reportOf(url: string, categories: readonly Category[], folder: string, chromium: string): Promise<Report> {
  // The page of an error is judged, too.
  const flags = ['--quiet', '--ignore-status-code', '--output=json', `--chrome-flags=${CHROMIUM}`];
  const args = [join(folder, 'node_modules/.bin/lighthouse'), url, ...flags, `--only-categories=${categories.join(',')}`];
  const env = { ...process.env, CHROME_PATH: chromium };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: LONGEST_MS, maxBuffer: 100 * 2 ** 20 });
  const report = JSON.parse(stdout) as Report;
  mustBe(`report of ${url}`, [report.finalDisplayedUrl, report.runtimeError?.message ?? null], [url, null]);
  return report;
}

function rowOf(name: string, category: Category, reports: readonly Report[]): Figure {
  const scores = reports.map(({ categories }) => 100 * (categories[category].score ?? 0));
  const score = percentile(scores, 0.5);
  if (score < LIMITS[category])
    for (const line of new Set(reports.flatMap((report) => faultsOf(report, category)))) process.stderr.write(`${name}: ${line}\n`);
  const version = reports[0]?.lighthouseVersion ?? '';
  return atLeast(`Lighthouse ${version}, ${name} page of the demo: ${category}, median of ${String(RUNS)}`, score, 'of 100', LIMITS[category]);
}

function faultsOf({ categories, audits }: Report, category: Category): readonly string[] {
  return categories[category].auditRefs.flatMap(({ id, weight }) => {
    const { score = null, title = '', displayValue = '' } = audits[id] ?? {};
    return weight > 0 && score !== null && score < 1 ? [`${category}: ${title} ${displayValue}`] : [];
  });
}
