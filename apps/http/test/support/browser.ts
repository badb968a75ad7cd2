import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const MISSING = 'No Chromium was found: the browser tests are skipped. Install Chromium, or name it in VITRINE_CHROMIUM.';

/** The browser that VITRINE_CHROMIUM names, or the first one on the PATH. */
function findChromium(env: NodeJS.ProcessEnv): string | null {
  const named = env['VITRINE_CHROMIUM'] ?? '';
  if (named !== '') return existsSync(named) ? named : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file)) ?? null;
}

/** A browser for one suite. */
export class SuiteBrowser {
  #browser: Browser | null = null;

  async start(executablePath: string): Promise<void> {
    // Containers have no sandbox for their root user, and often a small /dev/shm.
    this.#browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: 60_000 });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens a page, runs the test on it, and closes it. Returns what went wrong inside of the page. */
  async onPage(options: BrowserContextOptions, test: (page: Page) => Promise<void>): Promise<readonly string[]> {
    if (this.#browser === null) throw new Error('the browser has not started');
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('dialog', (dialog) => {
      problems.push(`${page.url()}: ${dialog.type()} ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // The browser reports every answer that is an error, also those that a test asks for.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) problems.push(`${page.url()}: asked for ${request.url()}`);
    });
    try {
      await test(page);
    } finally {
      await context.close();
    }
    return problems;
  }
}

/** A suite that needs Chromium. Without one it is skipped, or fails if REQUIRE_BROWSER is 1. */
export function describeBrowser(title: string, suite: (browser: SuiteBrowser) => void): void {
  const path = findChromium(process.env);
  if (path !== null) {
    describe(title, () => {
      const browser = new SuiteBrowser();
      beforeAll(() => browser.start(path), 90_000);
      afterAll(() => browser.stop());
      suite(browser);
    });
  } else if (process.env['REQUIRE_BROWSER'] === '1') {
    it(`${title}: there is a Chromium`, () => {
      throw new Error(MISSING);
    });
  } else {
    process.stderr.write(`${MISSING}\n`);
    describe.skip(title, () => {
      it('needs Chromium', () => undefined);
    });
  }
}
