import { MINUTE } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { describeBrowser } from '@vitrine/test-support';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SuiteBrowser } from './support/browser.js';
import { copyOf } from './support/site-copy.js';

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };

/** A host of files that knows nothing of Vitrine. */
function hostOf(texts: ReadonlyMap<string, string>): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url.slice(1).split('?')[0] ?? '';
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const text = texts.get(file);
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' });
    response.end(text ?? texts.get('404.html'));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describeBrowser('a copy in a browser', (executablePath) => {
  const browser = new SuiteBrowser();
  beforeAll(() => browser.start(executablePath), 90_000);
  afterAll(() => browser.stop());

  it('replaces a state when its evidence has expired, so that it does not stay green if nobody makes a new copy', async () => {
    const checks = [
      aCheck({ serviceKey: 'web', checkedAt: NOW, validForMs: 20 * MINUTE }),
      aCheck({ serviceKey: 'api', checkedAt: NOW, validForMs: 40 * MINUTE }),
    ];
    const server = await hostOf(await copyOf([aService({ key: 'web' }), aService({ key: 'api' }), ...checks]));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const problems = await browser.onPage({}, async (page) => {
      await page.clock.install({ time: NOW });
      const states = async (): Promise<readonly string[]> => page.locator('.row .state').allInnerTexts();
      await page.goto(`${origin}/status/`);
      expect([await page.locator('#banner.operational h1').innerText(), await states()]).toEqual([
        'All services are operational',
        ['Operational', 'Operational'],
      ]);
      expect(await page.locator('#copy').innerText()).toContain('20 Nov 2026');
      await page.clock.runFor(21 * MINUTE);
      // The host still has the old copy, which the script asks for every 30 seconds.
      await page.locator('#banner.unknown').waitFor();
      const expired = 'Not checked since 20 Nov 2026, 13:59 UTC';
      expect([await page.locator('h1').innerText(), [...(await states())].sort()]).toEqual([expired, [expired, 'Operational']]);
      expect(await page.locator('.hero .badge, link[rel=icon], .hero.operational').count()).toBe(0);
      await page.clock.runFor(20 * MINUTE);
      await page.locator('.row .state.operational').waitFor({ state: 'detached' });
      await page.goto(`${origin}/status/services/web/`);
      await page.locator('#banner.unknown .state.unknown').waitFor();
      expect(await page.locator('#banner .state').innerText()).toBe(expired);
    });
    expect(problems).toEqual([]);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }, 120_000);
});
