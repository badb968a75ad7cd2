import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child-process.js';
import { atMost, percentile, type Figure } from './measure.js';
import { spawnVitrine, type VitrineProcess } from './vitrine-process.js';
import { mustBe } from './wrong-answer.js';

const MEGABYTES_5 = 5 * 1_024 * 1_024;
const ITEMS = 100;
const PAGES = 320;
const VERSIONS = 1_000;
const ASKED_EVERY_MS = 5;
const LONGEST_MS = 300_000;
/** Front matter may have this many characters, and some. */
const HEADER = 16_000;

/** The answers of a server while its collector parses hostile documents, and while its collector is killed. */
export async function collectorFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-collector-'));
  const feed = await startChild<{ readonly port: number }>('hostile-feed-server.js', [String(ITEMS), String(MEGABYTES_5)]);
  try {
    return [...(await whileParsing(folder, feed.message.port)), ...(await whenKilled(folder))];
  } finally {
    feed.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** 5 MB each of a feed, of YAML and of a changelog, all written to be hard to read. */
async function whileParsing(folder: string, port: number): Promise<readonly Figure[]> {
  const articles = join(folder, 'articles');
  await mkdir(articles);
  for (let page = 0; page < PAGES; page++) await writeFile(join(articles, `${String(page)}.md`), hostileArticle(page));
  await writeFile(join(folder, 'CHANGELOG.md'), hostileChangelog());
  const server = await started(join(folder, 'parsing.yaml'), [
    `{feed: "http://127.0.0.1:${String(port)}/", label: Feed, allowPrivate: true}`,
    `{articles: articles, label: Articles, url: "https://acme.example/articles"}`,
    `{changelog: CHANGELOG.md, label: Changes, url: "https://acme.example/changes"}`,
  ]);
  try {
    const asking = askedAlways(server, '/livez');
    await until(() => isEachCollected(server, 3));
    const { times, lost } = await asking.end();
    mustBe('what was collected', [await countOf(server, 'news'), await countOf(server, 'articles')], [ITEMS, PAGES + VERSIONS]);
    mustBe('requests of /livez without an answer while strangers\u2019 texts were collected', lost, 0);
    return [
      atMost('5 MB each of a hostile feed, YAML and a changelog are collected: /livez meanwhile, p99', percentile(times, 0.99), 'ms', 20),
      atMost('the same: the slowest', Math.max(...times), 'ms', 100),
    ];
  } finally {
    server.stop();
  }
}

async function whenKilled(folder: string): Promise<readonly Figure[]> {
  const records = join(folder, 'records.ndjson');
  await writeFile(records, newsLine('before'));
  const server = await started(join(folder, 'killed.yaml'), [`{records: ${JSON.stringify(records)}, interval: 1h}`]);
  try {
    await until(async () => (await countOf(server, 'news')) === 1);
    await writeFile(records, newsLine('before') + newsLine('after'));
    const asking = askedAlways(server, '/api/v1/news');
    process.kill(server.collectorPid() ?? 0, 'SIGKILL');
    const killedAt = performance.now();
    await until(async () => (await countOf(server, 'news')) === 2);
    const collectingAgain = performance.now() - killedAt;
    const { lost } = await asking.end();
    return [
      atMost('the collector is killed: until what has changed meanwhile is collected', collectingAgain / 1_000, 's', 5),
      atMost('the same: requests that were not answered', lost, '', 0),
    ];
  } finally {
    server.stop();
  }
}

async function started(config: string, sources: readonly string[]): Promise<VitrineProcess> {
  const store = `store: {path: ${JSON.stringify(`${config}.store`)}}\n`;
  await writeFile(config, `${store}approved: []\nlimits: false\nsources:\n${sources.map((source) => `  - ${source}\n`).join('')}`);
  const server = await spawnVitrine({ config });
  await server.ready();
  return server;
}

/** Asks for a path again and again, in equal distances. */
function askedAlways({ url }: VitrineProcess, path: string) {
  const times: number[] = [];
  let lost = 0;
  const over = new AbortController();
  const ask = async (): Promise<void> => {
    const start = performance.now();
    const isAnswered = await fetch(`${url}${path}`).then(
      async (response) => (await response.text()) !== '' && response.status === 200,
      () => false,
    );
    times.push(performance.now() - start);
    if (!isAnswered) lost++;
  };
  const asking = (async () => {
    const running: Promise<void>[] = [];
    while (!over.signal.aborted) {
      running.push(ask());
      await sleep(ASKED_EVERY_MS);
    }
    await Promise.all(running);
  })();
  return {
    end: async () => {
      over.abort();
      await asking;
      return { times, lost };
    },
  };
}

interface SourcesBody {
  readonly data: readonly { readonly feeds: readonly string[]; readonly lastSuccessAt: string | null }[];
}

/** Whether each source of news and articles has completed a run. */
async function isEachCollected({ url }: VitrineProcess, count: number): Promise<boolean> {
  const { data } = (await (await fetch(`${url}/api/v1/sources`)).json()) as SourcesBody;
  return (
    data.filter(({ feeds, lastSuccessAt }) => lastSuccessAt !== null && ['news', 'article'].some((kind) => feeds.includes(kind))).length === count
  );
}

interface ListBody {
  readonly data: readonly unknown[];
  readonly meta: { readonly nextCursor: string | null };
}

/** The number of records in a list, page by page. */
async function countOf({ url }: VitrineProcess, list: string): Promise<number> {
  let count = 0;
  for (let cursor = ''; ;) {
    const { data, meta } = (await (await fetch(`${url}/api/v1/${list}?limit=100${cursor}`)).json()) as ListBody;
    count += data.length;
    if (meta.nextCursor === null) return count;
    cursor = `&cursor=${meta.nextCursor}`;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > LONGEST_MS) throw new Error(`Not everything was collected within ${String(LONGEST_MS / 1_000)} s.`);
    await sleep(250);
  }
}

function hostileArticle(page: number): string {
  const [nested, flat] = ['[{a: '.repeat(20), '[a, {b: c}],\n '.repeat((HEADER - 400) / 14)];
  return `---\ntitle: Page ${String(page)}\ndate: 2026-11-01\nx: [${nested}1${'}]'.repeat(20)}, ${flat}]\n---\nText\n`;
}

function hostileChangelog(): string {
  const entry = '- [a](b ![c](<d *e _f `g <h\n';
  const entries = entry.repeat(Math.floor(MEGABYTES_5 / VERSIONS / entry.length) - 2);
  return `# Changelog\n${Array.from({ length: VERSIONS }, (_, version) => `\n## [1.0.${String(version)}] - 2026-01-01\n\n${entries}`).join('')}`;
}

function newsLine(id: string): string {
  const provenance = {
    source: 'Acme',
    sourceKind: 'official-source',
    sourceUrl: 'https://acme.example/news',
    confidence: 'high',
    isOfficialSource: true,
  };
  return `${JSON.stringify({ kind: 'news', id, title: id, url: `https://acme.example/news/${id}`, source: 'Acme', publishedAt: '2026-11-01T00:00:00Z', provenance })}\n`;
}
