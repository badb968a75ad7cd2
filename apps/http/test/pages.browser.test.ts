import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOUR, MINUTE, SECOND } from '@vitrine/core';
import { aCheck, NOW } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { describeBrowser, isTorture, itInTorture } from '@vitrine/test-support';
import type { Page } from 'playwright-core';
import { Api } from './support/api.js';
import { accessibilityFaults, overflow, SuiteBrowser, TARGET_SIZE, walkByKeyboard } from './support/browser.js';
import { checkedDays, HOSTILE_PAGES, hostileWorld, PAGES } from './support/page-worlds.js';
import { smallWorld } from './support/small-world.js';

/** The overview, which has a part of most pages. A torture run visits all of them. */
const VISITED = isTorture ? PAGES : (['/'] as const);
const HOSTILE_VISITED = isTorture ? HOSTILE_PAGES : (['/articles/htm_0'] as const);
const WIDTHS = isTorture ? [360, 768, 1_440, 3_840] : [360, 3_840];
/** What is left of 1280 px at a zoom of 400 %. */
const ZOOMED = { width: 320, height: 256 } as const;
const UNZOOMED = { width: 1_280, height: 1_024 } as const;
const PRINTED = ['/', '/status', '/status/services/acme%3Awidget-api', '/commits', '/articles/widget-2-1-changelog', '/about'] as const;
/** An A4 page between its margins. */
const PAPER = { width: 718, height: 1_000 } as const;
const WALKED = ['/commits?changeType=fix', '/', '/status/services/acme%3Awidget-api', '/search?q=widget'] as const;
const LONG = 400_000;

/** The only rule whose result depends on the colour scheme. It takes most of the time. */
const CONTRAST = { runOnly: ['color-contrast'] };
/** For pages whose colours are those of others. */
const ALL_BUT_CONTRAST = { rules: { 'color-contrast': { enabled: false }, ...TARGET_SIZE } };

/** What a reader can see outside the header, whose links move into a menu on a small screen. */
const seen = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, input, select, summary, h1, h2, h3, p, dt, dd, th, td, time')]
      .filter((element) => element.closest('header.site') === null && element.checkVisibility())
      .map((element) => `${element.localName} ${(element.textContent ?? '').trim()}`),
  );

describeBrowser('a page in a browser', (executablePath) => {
  const browser = new SuiteBrowser();
  let ordinary: Api;
  let hostile: Api;

  beforeAll(async () => {
    await browser.start(executablePath);
    ordinary = await Api.open({ records: [...smallWorld, ...checkedDays], site: DEFAULT_SITE });
    hostile = await Api.open({ records: hostileWorld, site: DEFAULT_SITE });
  }, 90_000);

  afterAll(async () => {
    await browser.stop();
    await Api.closeAll();
  });

  const addressOf = (api: Api, path: string): string => `http://127.0.0.1:${String(api.port)}${path}`;

  it(
    'has no accessibility fault and no horizontal scroll',
    async () => {
      const found: string[] = [];
      const problems = await browser.onEach(VISITED, {}, async (page, path) => {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(addressOf(ordinary, path));
        for (const fault of await accessibilityFaults(page)) found.push(`${path}: ${fault}`);
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const fault of await accessibilityFaults(page, CONTRAST)) found.push(`${path}, dark: ${fault}`);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          if ((await overflow(page)) > 0) found.push(`${path}: scrolls sideways at ${String(width)} px`);
        }
      });
      expect([...found, ...problems]).toEqual([]);
    },
    LONG,
  );

  itInTorture('shows the title of the site, the recent checks and the choice of a chart in full on a phone', async () => {
    const api = await Api.open({ records: [...smallWorld, ...checkedDays], site: { ...DEFAULT_SITE, title: 'Acme Laden', language: 'de' } });
    const problems = await browser.onPage({ viewport: { width: 360, height: 900 } }, async (page) => {
      await page.goto(addressOf(api, '/status/services/acme%3Awidget-api'));
      const cut = await page.evaluate(() =>
        ['.brand span', '#checks .scroll'].map((selector) => {
          const element = document.querySelector(selector);
          return element === null ? selector : element.scrollWidth - element.clientWidth;
        }),
      );
      expect(cut).toEqual([0, 0]);
      for (const oneLine of ['.brand span', '.ranges .seg']) {
        const { height = Infinity } = (await page.locator(oneLine).first().boundingBox()) ?? {};
        expect(height).toBeLessThan(40);
      }
    });
    expect(problems).toEqual([]);
  });

  itInTorture(
    'runs nothing of a record, and hostile texts break neither its layout nor its accessibility',
    async () => {
      const found: string[] = [];
      const problems = await browser.onEach(HOSTILE_VISITED, { viewport: { width: 360, height: 900 } }, async (page, path) => {
        await page.goto(addressOf(hostile, path));
        if ((await overflow(page)) > 0) found.push(`${path}: scrolls sideways`);
        for (const fault of await accessibilityFaults(page, ALL_BUT_CONTRAST)) found.push(`${path}: ${fault}`);
      });
      expect([...found, ...problems]).toEqual([]);
    },
    LONG,
  );

  it(
    'moves nothing once it is shown: what has come is complete while the rest is on its way',
    async () => {
      const path = '/status/services/acme%3Awidget-api';
      const html = await (await fetch(addressOf(ordinary, path), { headers: { Accept: 'text/html' } })).text();
      const end = html.indexOf('id="response"');
      let finish: () => void = () => undefined;
      const server = createServer((request, response) => {
        if (request.url !== path) {
          response.writeHead(307, { Location: addressOf(ordinary, request.url ?? '/') }).end();
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/html' }).write(html.slice(0, end));
        finish = () => response.end(html.slice(end));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const problems = await browser.onPage({ viewport: { width: 360, height: 900 } }, async (page) => {
        await page.clock.setFixedTime(NOW);
        await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`, { waitUntil: 'commit' });
        await page.locator('#days .legend').waitFor();
        const [height, words] = [await page.locator('#banner').boundingBox(), await page.locator('#banner time').last().innerText()];
        expect([words, await page.evaluate(() => document.readyState)]).toEqual([expect.stringMatching(/ago|now/), 'loading']);
        const lasting = await page.evaluate(
          async (begins) => {
            const times = begins.map((begin) => Object.assign(document.createElement('time'), { dateTime: new Date(begin).toISOString() }));
            for (const time of times) {
              time.dataset['relative'] = 'for';
              time.textContent = 'since 12:00';
            }
            // A time at the end of the page may not be complete.
            document.body.prepend(...times);
            await new Promise(requestAnimationFrame);
            const texts = times.map(({ textContent }) => textContent);
            for (const time of times) time.remove();
            return texts;
          },
          [NOW - 40 * SECOND, NOW - 26 * MINUTE, NOW - 94 * MINUTE, NOW - 52 * HOUR, NOW + SECOND, NOW + HOUR],
        );
        expect(lasting).toEqual(['for <\u00a01\u00a0min', 'for 26 min', 'for 1 h 34 min', 'for 2 d 4 h', 'for <\u00a01\u00a0min', 'since 12:00']);
        finish();
        await page.waitForLoadState();
        expect(await page.locator('#banner').boundingBox()).toEqual(height);
      });
      server.closeAllConnections();
      server.close();
      expect(problems).toEqual([]);
    },
    LONG,
  );

  itInTorture(
    'works without JavaScript: filters, the row of a day and search',
    async () => {
      const problems = await browser.onPage({ javaScriptEnabled: false, viewport: { width: 1_280, height: 900 } }, async (page) => {
        await page.goto(addressOf(ordinary, '/commits'));
        await page.locator('select[name=changeType]').selectOption('performance');
        await page.locator('.filters button').click();
        expect(new URL(page.url()).searchParams.get('changeType')).toBe('performance');
        expect(await page.locator('.list .title').count()).toBe(1);
        await page.goto(addressOf(ordinary, '/status/services/acme%3Awidget-api'));
        await page.locator('.cal .outage a').last().click();
        expect(await page.locator('tr:target').count()).toBe(1);
        await page.locator('header input[type=search]').fill('widget');
        await page.locator('header input[type=search]').press('Enter');
        expect(await page.locator('mark').count()).toBeGreaterThan(1);
        expect(await page.locator('time').first().innerText()).toMatch(/2026/);
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  itInTorture(
    'reads a day out on tap, which stays until the next tap, and leads to the incident of the day',
    async () => {
      const problems = await browser.onPage({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 900 } }, async (page) => {
        await page.clock.setFixedTime(NOW);
        await page.goto(addressOf(ordinary, '/status/services/acme%3Awidget-api'));
        const strip = page.locator('#days .strip');
        await strip.scrollIntoViewIfNeeded();
        const { x = 0, y = 0, width = 0 } = (await strip.boundingBox()) ?? {};
        const read = () => page.touchscreen.tap(x + width - 1, y + 5);
        await read();
        await page.locator('#days .legend').tap();
        expect(await page.locator('#tip').isVisible()).toBe(false);
        await read();
        // Longer than it takes to hide a read-out that a mouse has left.
        await page.waitForTimeout(400);
        await page.locator('#tip a').first().tap();
        await page.waitForURL(/\/status\/incidents\//);
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  it(
    'reads a chart out by keys, from its first value or its last one, with the words for times without an answer',
    async () => {
      const problems = await browser.onPage({ viewport: { width: 1_280, height: 900 } }, async (page) => {
        await page.goto(addressOf(ordinary, '/status/services/acme%3Awidget-api'));
        const plot = page.locator('.plot').first();
        await plot.evaluate((box) => Object.assign(box.dataset, { p50: '-2,100,-3', p95: ',200,', count: '3' }));
        const readOut = async (key: string) => {
          await plot.press(key);
          return page.locator('#tip span').allInnerTexts();
        };
        const isHidden = () => page.locator('#tip').isHidden();
        for (const [key, first] of [
          ['Home', ['Down']],
          ['ArrowRight', ['Down']],
          ['End', ['Not checked']],
          ['ArrowLeft', ['Not checked']],
        ] as const) {
          expect([key, await readOut(key)]).toEqual([key, first]);
          await page.keyboard.press('Escape');
          expect(await isHidden()).toBe(true);
        }
        await readOut('Home');
        expect(await readOut('ArrowRight')).toEqual(['median: 100 ms', '95 % are faster: 200 ms']);
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  it(
    'shows that a part of a text can be opened',
    async () => {
      const problems = await browser.onPage({}, async (page) => {
        await page.goto(addressOf(ordinary, '/articles/widget-2-1-changelog'));
        const marker = await page.locator('.prose').evaluate((prose) => {
          const details = document.createElement('details');
          details.append(document.createElement('summary'), 'More');
          prose.append(details);
          const { display, listStyleType } = getComputedStyle(details.firstElementChild ?? details);
          return `${display} ${listStyleType}`;
        });
        expect(marker).toBe('list-item disclosure-closed');
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  itInTorture(
    'loses nothing at a zoom of 400 %',
    async () => {
      // Without the script, no relative time changes meanwhile.
      const problems = await browser.onEach(VISITED, { viewport: UNZOOMED, javaScriptEnabled: false }, async (page, path) => {
        await page.setViewportSize(UNZOOMED);
        await page.goto(addressOf(ordinary, path));
        const before = await seen(page);
        await page.setViewportSize(ZOOMED);
        expect([path, await overflow(page), await seen(page)]).toEqual([path, 0, before]);
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  itInTorture(
    'is printed in dark ink, whatever the colours of the screen are, and without what paper cannot do',
    async () => {
      const found: string[] = [];
      const problems = await browser.onEach(
        isTorture ? PRINTED : PRINTED.slice(1, 3),
        { viewport: PAPER, colorScheme: 'dark' },
        async (page, path) => {
          await page.goto(addressOf(ordinary, path));
          await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
          if ((await overflow(page)) > 0) found.push(`${path}: is wider than the paper`);
          for (const fault of await accessibilityFaults(page, CONTRAST)) found.push(`${path}: ${fault}`);
          expect([path, await page.locator('nav:visible, form:visible').count()]).toEqual([path, 0]);
        },
      );
      expect([...found, ...problems]).toEqual([]);
    },
    LONG,
  );

  it(
    'is reached as a whole by keyboard',
    async () => {
      const problems = await browser.onEach(
        isTorture ? WALKED : WALKED.slice(0, 1),
        { viewport: { width: 1_024, height: 900 } },
        async (page, path) => {
          await page.goto(addressOf(ordinary, path));
          const { count, missed } = await walkByKeyboard(page);
          expect(count).toBeGreaterThan(20);
          expect([path, missed]).toEqual([path, []]);
        },
      );
      expect(problems).toEqual([]);
    },
    LONG,
  );

  it(
    'leads to its search with "/", which shows results below its field while one types; arrow keys walk them, and Escape closes them',
    async () => {
      const problems = await browser.onPage({ viewport: { width: 1_280, height: 900 } }, async (page) => {
        const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | HTMLAnchorElement | null)?.className);
        const field = page.locator('header input[name=q]');
        const results = page.locator('.search #results');
        await page.goto(addressOf(ordinary, '/'));
        await page.locator('h1').click();
        await page.keyboard.press('/');
        await page.keyboard.type('widg');
        await results.locator('mark').first().waitFor();
        expect(new URL(page.url()).pathname).toBe('/');
        expect(await accessibilityFaults(page, ALL_BUT_CONTRAST, '.search')).toEqual([]);
        await page.keyboard.press('ArrowDown');
        expect(await focused()).toBe('title');
        await page.keyboard.press('Escape');
        expect([await results.count(), await field.evaluate((input) => input === document.activeElement)]).toEqual([0, true]);
        await page.keyboard.type('e');
        await results.locator('mark').first().waitFor();
        await page.locator('h1').click();
        expect(await results.count()).toBe(0);
        await field.press('Enter');
        await page.waitForURL(/\/search\?q=widge$/);
        // There, the field of the page shows the results in the page, and the address follows.
        expect(await field.count()).toBe(0);
        await page.locator('.filters input[name=q]').fill('widget');
        await page.waitForURL(/\/search\?q=widget&type=$/);
        await page.keyboard.press('ArrowDown');
        expect(await focused()).toBe('title');
        expect(await page.locator('main > .wrap > #results').count()).toBe(1);
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );

  itInTorture(
    'shows a new state without being loaded again, and how long ago something was',
    async () => {
      const api = await Api.open({ records: [...smallWorld, ...checkedDays], site: DEFAULT_SITE });
      const problems = await browser.onPage({ viewport: { width: 1_024, height: 900 } }, async (page) => {
        await page.clock.install({ time: NOW });
        await page.goto(addressOf(api, '/'));
        expect(await page.locator('#banner').getAttribute('data-state')).not.toBe('outage');
        expect(await page.locator('time[data-relative]').first().innerText()).toMatch(/ago|now/);
        await api.store.writer.put([aCheck({ state: 'outage', checkedAt: NOW })], { signal: new AbortController().signal });
        await page.clock.runFor(31_000);
        await page.locator('#banner[data-state=outage]').waitFor();
        expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('state=outage');
      });
      expect(problems).toEqual([]);
    },
    LONG,
  );
});
