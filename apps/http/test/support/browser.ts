import axe from 'axe-core';
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
    page.on('pageerror', ({ message }) => {
      // The browser leaves out the animation between two pages if one of them is slow.
      if (!message.startsWith('Transition was ')) problems.push(`${page.url()}: ${message}`);
    });
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

  /** The same for each address, on at most two pages side by side. */
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
    return (await Promise.all(addresses.slice(0, 2).map(work))).flat();
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[];
  }[];
}

interface Axe {
  run(within: string, options: object): Promise<AxeResult>;
}

/** Whether fingers can hit what can be clicked. It is off by default. */
export const TARGET_SIZE = { 'target-size': { enabled: true } };

/** @param within the part that is judged; by default the whole page */
export async function accessibilityFaults(page: Page, options: object = { rules: TARGET_SIZE }, within = 'html'): Promise<readonly string[]> {
  // Not a script element, so the policy of the page allows it.
  await page.evaluate(`globalThis.axe === undefined && (() => {${axe.source}})()`);
  // Without the elements that pass, of which there are many, it takes half of the time.
  const asked = { ...options, resultTypes: ['violations'] };
  const { violations } = await page.evaluate(([part, given]) => (globalThis as unknown as { axe: Axe }).axe.run(part, given), [
    within,
    asked,
  ] as const);
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`));
}

/** By how many pixels a page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const FOCUSABLE = 'a[href], button, input, select, summary, [tabindex="0"]';

interface Walked {
  readonly count: number;
  /** What was not reached, or has no visible ring while it has the focus. */
  readonly missed: readonly string[];
}

/** Walks through a page with the tab key. */
export async function walkByKeyboard(page: Page): Promise<Walked> {
  const count = await page.evaluate((focusable) => {
    const reached = new Set<EventTarget | null>();
    const hasRing = (element: Element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/^rgba.* 0\)$/u.test(outlineColor);
    };
    // The ring of a choice is that of its label.
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element && (target.matches('[type=radio]') || hasRing(target))) reached.add(target);
    });
    // The arrow keys walk the choices of a group.
    const isOtherChoice = (element: Element) => element.matches('[type=radio]:not(:checked)');
    const all = [...document.querySelectorAll<HTMLElement>(focusable)].filter((element) => element.checkVisibility() && element.tabIndex >= 0);
    const notReached = () => all.filter((element) => !reached.has(element) && !isOtherChoice(element)).map(({ outerHTML }) => outerHTML);
    Object.assign(globalThis, { notReached });
    return all.length;
  }, FOCUSABLE);
  // A field for a day takes four steps, so one round may not be enough.
  let missed: readonly string[] = ['all'];
  for (let round = 0; round < 3 && missed.length > 0; round++) {
    for (let step = 0; step < count; step++) await page.keyboard.press('Tab');
    missed = await page.evaluate(() => (globalThis as unknown as { notReached(): readonly string[] }).notReached());
  }
  return { count, missed };
}

/** What is not told apart in forced colours, which replace the colours of texts and lines, and show neither backgrounds nor shadows. */
export const forcedColourFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const states = ['operational', 'degraded', 'outage', 'maintenance', 'unknown'];
    /** Which looks the elements of each state have. */
    const looksOf = (selector: string, lookOf: (element: Element) => string) =>
      states.map((state) => new Set(all(selector.replaceAll('STATE', state)).map(lookOf))).filter(({ size }) => size > 0);
    const areDistinct = (looks: readonly ReadonlySet<string>[]): boolean =>
      new Set(looks.flatMap((some) => [...some])).size === looks.reduce((sum, { size }) => sum + size, 0);
    const ground = getComputedStyle(document.body).backgroundColor;
    // Bars are lines, and those of the legend are areas.
    const colourOf = (bar: Element): string => getComputedStyle(bar)[bar.closest('.strip') === null ? 'fill' : 'stroke'];
    const colours = looksOf('.strip path.STATE, .legend path.STATE', colourOf);
    // The colour of the line is transparent, which forced colours replace when they paint.
    const isMarked = (element: Element): boolean => getComputedStyle(element).textDecorationLine === 'underline';
    // Forced colours keep the opacity of a background, and the texts on it expect a whole one.
    const isPale = (element: Element): boolean => {
      const { backgroundColor, forcedColorAdjust } = getComputedStyle(element);
      return forcedColorAdjust === 'auto' && /^rgba.* 0\.\d+\)$|\/ 0\.\d+\)$/u.test(backgroundColor);
    };
    const labels = all('.ranges :checked').map(({ id }) => `, label[for="${id}"]`);
    const chosen = `.nav > ul [aria-current], .themes [aria-pressed=true]${labels.join('')}`;
    return [
      ...(areDistinct(looksOf('.state.STATE > .i', ({ innerHTML }) => innerHTML)) ? [] : ['states have the same icon']),
      ...(areDistinct(colours) && colours.every((some) => !some.has(ground)) ? [] : ['bars of states have the same colour']),
      ...all('.state')
        .filter(({ textContent }) => textContent.trim() === '')
        .map(({ outerHTML }) => `no word: ${outerHTML}`),
      ...all('body *')
        .filter(isPale)
        .map(({ outerHTML }) => `half transparent: ${outerHTML.slice(0, 100)}`),
      ...all(chosen)
        .filter((element) => !isMarked(element))
        .map(({ outerHTML }) => `not marked as chosen: ${outerHTML}`),
    ];
  });
