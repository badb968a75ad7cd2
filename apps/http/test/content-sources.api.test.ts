import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';
import { RENDERER } from './support/text-renderer.js';

const FEEDS = join(__dirname, '../../../packages/collector/test/feeds');
const logged: string[] = [];
const asked: (string | undefined)[] = [];
const broken = new Set<string>();
let folder: string;
let provider: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-content-'));
  logged.length = 0;
  asked.length = 0;
  broken.clear();
  provider = createServer(({ url = '', headers }, response) => {
    asked.push(headers['user-agent']);
    const etag = `"${url}"`;
    if (broken.has(url)) response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sign in</body></html>');
    else if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'content-type': 'text/xml' }).end(readFileSync(join(FEEDS, url.slice(1))));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => provider.close(resolve).closeAllConnections());
  rmSync(folder, { recursive: true, force: true });
});

/** The server with a configuration whose sources are read every ten seconds. */
async function started() {
  const origin = `http://127.0.0.1:${String((provider.address() as AddressInfo).port)}`;
  mkdirSync(join(folder, 'help'), { recursive: true });
  writeFileSync(join(folder, 'help', 'start.md'), '---\nkind: help\ntags: [start]\ndate: 2026-01-02\n---\n# First steps\n\nHow to begin.\n');
  writeFileSync(join(folder, 'CHANGELOG.md'), '## [2.1.0] - 2026-01-03\n\n### Added\n\n- Feeds\n');
  const config = join(folder, 'vitrine.yaml');
  writeFileSync(
    config,
    `publicUrl: https://vitrine.acme.example
server: {port: 0}
store: {path: ${JSON.stringify(join(folder, 'store'))}}
approved: [acme/widget]
sources:
  - {feed: "${origin}/rss-2.0.xml", label: Acme Blog, official: true, allowPrivate: true, interval: 10s}
  - {feed: "${origin}/atom.xml", label: Acme Engineering, allowPrivate: true}
  - {feed: "${origin}/feed.json", label: Refused}
  - {video: "${origin}/peertube.xml", label: Acme Tube, allowPrivate: true}
  - {articles: help, url: "https://acme.example/help"}
  - {changelog: CHANGELOG.md, repository: acme/widget}
`,
  );
  const lines: string[] = [];
  const logs = { write: (line: string) => void logged.push(line) };
  const env = { VITRINE_CONFIG: config };
  const running = await start({ args: [], env, pid: 1, print: (line) => lines.push(line), logs, launch: localCollector(env), texts: RENDERER });
  const address = /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '';
  const answer = async (path: string) => (await (await fetch(`${address}/api/v1/${path}`)).json()) as Body | { readonly data?: null };
  // On a busy machine, a response may be late. Then it has no data.
  const get = async (path: string) =>
    (await until(
      () => answer(path),
      ({ data = null }) => data !== null,
    )) as Body;
  return { running, get };
}

interface Body {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly dataStatus: string };
}

async function until<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const value = await ask();
    if (holds(value)) return value;
    await sleep(50);
  }
  throw new Error('it never did');
}

describe('a server whose configuration names feeds, videos, articles and a changelog', () => {
  it('shows what they publish, says how fresh it is, and keeps it when a feed turns into a web page', async () => {
    const first = await started();
    const states = async () => (await first.get('sources')).data.map(({ id, state }) => [id, state]);
    await until(states, (found) => found.length === 6 && found.every(([, state]) => state !== 'pending'));
    expect(await states()).toEqual([
      ['article:help', 'fresh'],
      ['changelog:acme/widget', 'fresh'],
      ['feed:Acme Blog', 'fresh'],
      ['feed:Acme Engineering', 'fresh'],
      ['feed:Refused', 'failing'],
      ['video:Acme Tube', 'fresh'],
    ]);
    const news = await first.get('news');
    expect(news.data.map(({ source, title }) => `${String(source)}: ${String(title)}`)).toEqual(
      expect.arrayContaining(['Acme Blog: Widget 2.1 – what’s new', 'Acme Engineering: Why a < b, and R&D', 'Acme Engineering: Only updated']),
    );
    // One of the feeds that belong to the kind has never completed.
    expect(news.meta.dataStatus).toBe('partial');
    expect(news.data.find(({ title }) => title === 'Only updated')).toHaveProperty('publishedAt', '2026-11-10T09:00:00.000Z');
    expect(await first.get('videos')).toMatchObject({
      data: [{ title: 'How feeds work', platform: 'peertube', durationSeconds: 301 }],
      meta: { dataStatus: 'fresh' },
    });
    expect(await first.get('articles')).toMatchObject({
      data: [
        { kind: 'changelog', version: '2.1.0', changes: [{ type: 'added', text: 'Feeds' }], repository: { fullName: 'acme/widget' } },
        { id: 'help/start', kind: 'help', title: 'First steps', summary: 'How to begin.', url: 'https://acme.example/help/start', repository: null },
      ],
    });
    expect((await first.get('search?q=cursors&type=news')).data).toHaveLength(1);
    expect(JSON.stringify(await Promise.all(['news', 'videos', 'articles', 'sources'].map(first.get)))).not.toContain('127.0.0.1:');
    expect(new Set(asked)).toEqual(new Set(['Vitrine (+https://vitrine.acme.example)']));
    expect(logged.join('')).toContain('private address');
    await first.running.stop();

    // After a restart, a feed that has turned into a web page changes nothing. The reason is in the log only.
    broken.add('/rss-2.0.xml');
    const second = await started();
    await until(
      async () => (await second.get('sources')).data.find(({ id }) => id === 'feed:Acme Blog')?.['state'],
      (state) => state === 'failing',
    );
    expect((await second.get('news')).data).toEqual(news.data);
    expect(logged.join('')).toContain('not a feed');
    await second.running.stop();
  });
});
