import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, mustBe, percentile, withFolder, type Figure } from '../measure.js';
import { serveVitrine, type Served } from '../processes.js';
import { jsonOf, listen, type ApiList } from '../wire.js';

const BYTES = 5 * 1_024 * 1_024;
const ITEMS = 100;
const PAGES = 320;
const VERSIONS = 1_000;
const ASKED_EVERY_MS = 5;
const HEADER = 16_000;
/** A list and a map each. It may have 32 levels. */
const DEPTH = 15;

/** The answers of a server while its collector parses hostile documents, and while its collector is killed. */
export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => [...(await parsingRows(folder)), ...(await killedRows(folder))]);
}

async function parsingRows(folder: string): Promise<readonly Figure[]> {
  const articles = join(folder, 'articles');
  await mkdir(articles);
  for (let page = 0; page < PAGES; page++) await writeFile(join(articles, `${String(page)}.md`), hostileArticle(page));
  await writeFile(join(folder, 'CHANGELOG.md'), hostileChangelog());
  const text = hostileFeed();
  const feed = await listen((_request, response) => response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(text));
  const server = await started(join(folder, 'parsing.yaml'), [
    `{feed: "${feed.origin}/", label: Feed, allowPrivate: true}`,
    `{articles: articles, label: Articles, url: "https://acme.example/articles"}`,
    `{changelog: CHANGELOG.md, label: Changes, url: "https://acme.example/changes"}`,
  ]);
  const asking = askedAlways(server, '/livez');
  await until(() => isEachCollected(server, 3));
  const { times, lost } = await asking.end();
  mustBe('what was collected', [await countOf(server, 'news'), await countOf(server, 'articles')], [ITEMS, PAGES + VERSIONS]);
  mustBe('requests of /livez without an answer while strangers\u2019 texts were collected', lost, 0);
  server.process.stop();
  return [
    atMost('5 MB each of a hostile feed, YAML and a changelog are collected: /livez meanwhile, p99', percentile(times, 0.99), 'ms', 20),
    atMost('the same: the slowest', Math.max(...times), 'ms', 100),
  ];
}

async function killedRows(folder: string): Promise<readonly Figure[]> {
  const records = join(folder, 'records.ndjson');
  await writeFile(records, newsLine('before'));
  const server = await started(join(folder, 'killed.yaml'), [`{records: ${JSON.stringify(records)}, interval: 1h}`]);
  await until(async () => (await countOf(server, 'news')) === 1);
  await writeFile(records, newsLine('before') + newsLine('after'));
  const asking = askedAlways(server, '/api/v1/news');
  process.kill(server.process.childPid() ?? 0, 'SIGKILL');
  const killedAt = performance.now();
  await until(async () => (await countOf(server, 'news')) === 2);
  const collectingAgain = performance.now() - killedAt;
  const { lost } = await asking.end();
  server.process.stop();
  return [
    atMost('the collector is killed: until what has changed meanwhile is collected', collectingAgain / 1_000, 's', 5),
    atMost('the same: requests that were not answered', lost, '', 0),
  ];
}

async function started(config: string, sources: readonly string[]): Promise<Served> {
  const store = `store: {path: ${JSON.stringify(`${config}.store`)}}\n`;
  await writeFile(config, `${store}approved: []\nlimits: false\nsources:\n${sources.map((source) => `  - ${source}\n`).join('')}`);
  return serveVitrine({ config });
}

function askedAlways({ url }: Served, path: string) {
  const times: number[] = [];
  let lost = 0;
  const ask = async (): Promise<void> => {
    const start = performance.now();
    const isAnswered = await fetch(`${url}${path}`).then(
      async (response) => (await response.text()) !== '' && response.status === 200,
      () => false,
    );
    times.push(performance.now() - start);
    if (!isAnswered) lost++;
  };
  const running: Promise<void>[] = [];
  const asking = setInterval(() => running.push(ask()), ASKED_EVERY_MS);
  return {
    end: async () => {
      clearInterval(asking);
      await Promise.all(running);
      return { times, lost };
    },
  };
}

async function isEachCollected({ url }: Served, count: number): Promise<boolean> {
  const { data } = await jsonOf<ApiList<{ readonly feeds: readonly string[]; readonly lastSuccessAt: string | null }>>(`${url}/api/v1/sources`);
  const ready = data.filter(({ feeds, lastSuccessAt }) => lastSuccessAt !== null && (feeds.includes('news') || feeds.includes('article')));
  return ready.length === count;
}

async function countOf({ url }: Served, list: string): Promise<number> {
  let count = 0;
  for (let cursor = ''; ;) {
    const { data, meta } = await jsonOf<ApiList<unknown>>(`${url}/api/v1/${list}?limit=100${cursor}`);
    count += data.length;
    if (meta.nextCursor === null) return count;
    cursor = `&cursor=${meta.nextCursor}`;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 300_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('Not everything was collected in five minutes.');
    await sleep(250);
  }
}

/** Texts that are hard to turn into plain text. */
function hostileFeed(): string {
  const html = '&lt;a &lt;![CDATA[ &lt;!-- &amp;amp &amp;#x41; &lt;/ &lt;div>&lt;script> ';
  const description = html.repeat(Math.floor((BYTES / ITEMS - 300) / html.length));
  const items = Array.from({ length: ITEMS }, (_, index) => {
    const [page, date] = [`https://blog.example/${String(index)}`, '01 Oct 2026 10:00:00 GMT'];
    return `<item><title>Post ${String(index)}</title><link>${page}</link><guid>${page}</guid><pubDate>${date}</pubDate><description>${description}</description></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title><link>https://blog.example/</link>${items.join('')}</channel></rss>`;
}

function hostileArticle(page: number): string {
  const [nested, flat] = ['[{a: '.repeat(DEPTH), '[a, {b: c}],\n '.repeat((HEADER - 400) / 14)];
  return `---\ntitle: Page ${String(page)}\ndate: 2026-11-01\nx: [${nested}1${'}]'.repeat(DEPTH)}, ${flat}]\n---\nText\n`;
}

function hostileChangelog(): string {
  const entry = '- [a](b ![c](<d *e _f `g <h\n';
  const entries = entry.repeat(Math.floor(BYTES / VERSIONS / entry.length) - 2);
  return `# Changelog\n${Array.from({ length: VERSIONS }, (_, version) => `\n## [1.0.${String(version)}] - 2026-01-01\n\n${entries}`).join('')}`;
}

function newsLine(id: string): string {
  const official = { sourceKind: 'official-source', confidence: 'high', isOfficialSource: true };
  const provenance = { source: 'Acme', sourceUrl: 'https://acme.example/news', ...official };
  const news = { id, title: id, url: `https://acme.example/news/${id}`, source: 'Acme', publishedAt: '2026-11-01T00:00:00Z' };
  return `${JSON.stringify({ kind: 'news', ...news, provenance })}\n`;
}
