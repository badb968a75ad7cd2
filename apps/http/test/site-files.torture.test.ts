import { MINUTE } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { describeBrowser } from '@vitrine/test-support';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SuiteBrowser } from './support/browser.js';
import { copyOf } from './support/site-copy.js';

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };

/** A host of files that knows nothing of Vitrine. */
class Host {
  readonly #server = createServer(({ url = '/' }, response) => this.#answer(url, response));
  /** Where the pages are interrupted, each until the test goes on. */
  #cuts: readonly string[] = [];
  #next: () => void = () => undefined;

  constructor(private readonly texts: ReadonlyMap<string, string>) {}

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** From now on, a page comes in parts, each of which ends with one of these texts. */
  interruptAfter(...cuts: readonly string[]): void {
    this.#cuts = cuts;
  }

  goOn(): void {
    this.#next();
  }

  #answer(url: string, response: ServerResponse): void {
    const path = url.slice(1).split('?')[0] ?? '';
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const text = this.texts.get(file);
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
    if (text === undefined || !file.endsWith('.html')) response.end(text ?? this.texts.get('404.html'));
    else this.#send(response, text, this.#cuts);
  }

  #send(response: ServerResponse, text: string, [cut, ...others]: readonly string[]): void {
    if (cut === undefined) {
      response.end(text);
      return;
    }
    const end = text.indexOf(cut) + cut.length;
    if (!text.includes(cut)) throw new Error(`the page has no "${cut}" here`);
    response.write(text.slice(0, end));
    this.#next = () => this.#send(response, text.slice(end), others);
  }
}

describeBrowser('a copy in a browser', (executablePath) => {
  const browser = new SuiteBrowser();
  let host: Host;
  let origin: string;

  beforeAll(async () => {
    const checks = [
      aCheck({ serviceKey: 'web', checkedAt: NOW, validForMs: 20 * MINUTE }),
      aCheck({ serviceKey: 'api', checkedAt: NOW, validForMs: 40 * MINUTE }),
    ];
    host = new Host(await copyOf([aService({ key: 'web' }), aService({ key: 'api' }), ...checks]));
    origin = await host.start();
    await browser.start(executablePath);
  }, 90_000);
  afterAll(async () => {
    await browser.stop();
    await host.stop();
  });

  it('replaces a state when its evidence has expired, so that it does not stay green if nobody makes a new copy', async () => {
    const problems = await browser.onPage({}, async (page) => {
      await page.clock.install({ time: NOW });
      // Without the time since when a state lasts.
      const states = async () => (await page.locator('.row .state').allInnerTexts()).map((text) => text.replace(/\s*for .*$/s, ''));
      await page.goto(`${origin}/status/`);
      expect([await page.locator('#banner.operational h1').innerText(), await states()]).toEqual([
        'All services are operational',
        ['Operational', 'Operational'],
      ]);
      expect(await page.locator('#copy').innerText()).toContain('20 Nov 2026');
      await page.clock.runFor(21 * MINUTE);
      // The host still has the old copy, which the script asks for every 30 seconds.
      await page.locator('#banner.unknown').waitFor();
      const expired = 'Not checked since 20 Nov 2026, 13:59';
      expect([await page.locator('h1').innerText(), [...(await states())].sort()]).toEqual([expired, [expired, 'Operational']]);
      expect(await page.locator('.hero .badge, link[rel=icon], .hero.operational').count()).toBe(0);
      await page.clock.runFor(20 * MINUTE);
      await page.locator('.row .state.operational').waitFor({ state: 'detached' });
      await page.goto(`${origin}/status/services/web/`);
      await page.locator('#banner.unknown .state.unknown').waitFor();
      expect(await page.locator('#banner .state').innerText()).toBe(expired);
    });
    expect(problems).toEqual([]);
  }, 120_000);

  it('shows the same in the end, wherever the browser has to wait for the rest of a page', async () => {
    const shown: string[] = [];
    const problems = await browser.onPage({}, async (page) => {
      await page.clock.setFixedTime(NOW + 41 * MINUTE);
      await page.goto(`${origin}/status/`);
      shown.push(await page.locator('body').innerHTML());
      // Within the banner before its heading, and within its heading, a time and a state. All but the time have expired.
      host.interruptAfter('<div class="lead">', '>All serv', 'data-relative>20 Nov', 'Operat');
      await page.goto(`${origin}/status/`, { waitUntil: 'commit' });
      for (const last of ['#banner .lead', '#banner h1', '#banner time', '.row .state']) {
        await page.locator(last).first().waitFor({ state: 'attached' });
        expect(await page.evaluate(() => document.readyState)).toBe('loading');
        host.goOn();
      }
      await page.waitForLoadState();
      shown.push(await page.locator('body').innerHTML());
    });
    expect(problems).toEqual([]);
    expect(shown[0]).toMatch(/<h1[^>]*>Not checked since/);
    expect(shown[1]).toBe(shown[0]);
  }, 120_000);
});
