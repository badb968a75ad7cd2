import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTorture, until } from '@vitrine/test-support';
import { start } from '../src/composition/start.js';
import { localCollector } from './support/local-collector.js';
import { RENDERER } from './support/text-renderer.js';

/** An address of this machine that nothing else uses, so that every text that contains it comes from the configuration. */
const HOST = '127.83.19.8';
const NAME = 'canary-83198';
const PUBLIC = 'https://vitrine.acme.example';
const MOST_PAGES = isTorture ? 1_500 : 50;

let folder: string;
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-hidden-'));
  server = createServer(({ url = '' }, response) => response.writeHead(url.startsWith('/broken') ? 500 : 200).end(`this is ${HOST}`));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  rmSync(folder, { recursive: true, force: true });
});

async function started(url: string) {
  const port = String((server.address() as AddressInfo).port);
  const config = join(folder, 'vitrine.yaml');
  writeFileSync(
    config,
    `publicUrl: ${PUBLIC}
server: {port: 0}
store: {path: ${JSON.stringify(join(folder, 'store'))}}
limits: false
approved: []
services:
  - {key: "acme:up", name: Up, check: "http://${HOST}:${port}/${NAME}", allowPrivate: true, interval: 10s${url}}
  - {key: "acme:broken", name: Broken, check: "http://${HOST}:${port}/broken", allowPrivate: true, confirmAfter: 0, interval: 10s${url}}
  - {key: "acme:inside", name: Inside, check: "http://${HOST}:${port}/${NAME}", interval: 10s${url}}
  - {key: "acme:gone", name: Gone, check: "https://${NAME}.invalid/health?token=a", confirmAfter: 0, interval: 10s${url}}
  - {key: "acme:tcp", name: Tcp, check: "tcp://${HOST}:${port}", allowPrivate: true, interval: 10s${url}}
  - {key: "acme:dns", name: Dns, check: "dns:${NAME}.invalid", confirmAfter: 0, interval: 10s${url}}
`,
  );
  const [lines, logs]: [string[], string[]] = [[], []];
  const env = { VITRINE_CONFIG: config, XDG_CACHE_HOME: folder };
  const running = await start({
    args: [],
    env,
    launch: localCollector(env),
    texts: RENDERER,
    pid: 1,
    print: (line) => lines.push(line),
    logs: { write: (line) => logs.push(line) },
  });
  return { running, logs, address: /http:\S+/.exec(lines[0] ?? '')?.[0] ?? '' };
}

const KEYS = ['up', 'broken', 'inside', 'gone', 'tcp', 'dns'].map((name) => `acme%3A${name}`);
const HISTORIES = KEYS.flatMap((key) => ['', '?granularity=day'].map((query) => `/api/v1/status/services/${key}/history${query}`));
const STARTS = [
  ...HISTORIES,
  '/',
  '/api/v1',
  '/openapi.json',
  '/sitemap.xml',
  '/robots.txt',
  '/readyz',
  '/status/history',
  '/api/v1/nothing',
  '/api/v1/status?wrong=a',
  '/api/v1/search?q=acme',
];
const LINK =
  /(?:href|src)="([^"#]+)"|"(?:href|hubHref|healthUrl|sourceUrl|nextCursor)":"([^"]+)"|<loc>([^<]+)<|(https:\/\/vitrine\.acme\.example[^\s"'<>&]*)/g;

/** The text of every answer that links lead to, with its headers, by path. */
async function crawled(address: string, starts = STARTS, mostPages = MOST_PAGES): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const waiting = new Set(starts);
  for (const path of waiting) {
    if (texts.size >= mostPages) break;
    const response = await fetch(address + path, { redirect: 'manual' });
    const body = await response.text();
    texts.set(path, JSON.stringify([...response.headers]) + body);
    for (const [, ...found] of body.matchAll(LINK)) {
      const link = (found.find(Boolean) ?? '').replace(/&amp;/g, '&').replace(PUBLIC, '');
      if (/^\/[^/]/.test(link)) waiting.add(link.split('#', 1).join(''));
    }
  }
  return texts;
}

const leaks = (texts: ReadonlyMap<string, string>) =>
  [...texts].filter(([, text]) => text.includes(HOST) || text.includes(NAME)).map(([path]) => path);

/** Waits until all services but one have been checked: that of a private host that is not allowed is not checked. */
async function checked(address: string): Promise<void> {
  await until(async () => {
    const { data } = (await (await fetch(`${address}/api/v1/status`)).json()) as { data: { services: { lastCheckedAt: string | null }[] } | null };
    return data?.services.filter(({ lastCheckedAt }) => lastCheckedAt !== null).length === 5;
  });
}

describe('a server with services that have url: false', () => {
  it('names their addresses in no answer, header or log line, also if they had been published before', async () => {
    const first = await started('');
    await checked(first.address);
    // Without the key, the address of a public service is published, so the test can fail.
    const history = '/api/v1/status/services/acme%3Agone/history';
    const published = ['/status/services/acme%3Agone', history];
    expect(leaks(await crawled(first.address, published, 2))).toEqual(published);
    await first.running.stop();

    const second = await started(', url: false');
    await checked(second.address);
    const texts = await crawled(second.address);
    expect(texts.size).toBeGreaterThan(40);
    expect([...texts.keys()]).toContain(history);
    expect(leaks(texts)).toEqual([]);
    await second.running.stop();
    expect(second.logs.length).toBeGreaterThan(5);
    expect(second.logs.filter((line) => line.includes(HOST) || line.includes(NAME))).toEqual([]);
  });
});
