import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

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

  /** The same for each address, on two pages side by side. */
  async onEach(
    addresses: readonly string[],
    options: BrowserContextOptions,
    test: (page: Page, address: string) => Promise<void>,
  ): Promise<readonly string[]> {
    const queue = [...addresses];
    const work = () =>
      this.onPage(options, async (page) => {
        for (let address = queue.shift(); address !== undefined; address = queue.shift()) await test(page, address);
      });
    return (await Promise.all([work(), work()])).flat();
  }
}
