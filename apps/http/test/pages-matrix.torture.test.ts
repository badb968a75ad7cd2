import { describeBrowser } from '@vitrine/test-support';
import { HtmlValidate } from 'html-validate/node';
import { demoAt, pagesOf, serve, statesOf } from './support/site-states.mjs';
import { accessibilityFaults, forcedColourFaults, overflow, SuiteBrowser, TARGET_SIZE, walkByKeyboard } from './support/browser.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LANGUAGES = ['en', 'de'] as const;
const WIDTHS = [360, 768, 1_440, 2_560] as const;
/** Accessibility is judged at each width, and its contrast once in each theme: it takes most of the time. Without JavaScript, it is judged at the latter. */
const THEMES: Readonly<Record<number, 'light' | 'dark'>> = { 360: 'light', 1_440: 'dark' };
const ALL_BUT_CONTRAST = { rules: { 'color-contrast': { enabled: false }, ...TARGET_SIZE } };
const TRIES = 20;
const LONGEST_MS = 30 * 60_000;

/** One state is chosen with `VITRINE_TORTURE=1 npx jest pages-matrix -t outage`. */
const STATES = [
  ...['first-day', 'well', 'degraded', 'outage', 'maintenance', 'stale', 'partial', 'status-only', 'development-only', 'one-repository'],
  ...['hundred-services', 'hostile'],
];

/** The style of the text, which the renderer decides, and the titles of records. */
const NOT_JUDGED = ['void-style', 'attribute-boolean-style', 'attribute-empty-style', 'doctype-style', 'no-trailing-whitespace', 'long-title'];
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: Object.fromEntries([...NOT_JUDGED, 'no-raw-characters'].map((rule) => [rule, 'off'])),
});

/** The answer, which on a busy machine takes several tries. */
async function answerOf(address: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(address, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    if (answer.status !== 503 || tries === TRIES) return answer;
  }
}

/** What is wrong with the HTML and its links, which depend on neither size nor theme. @param known the links that were followed before */
async function faultsOfText(origin: string, path: string, known: Set<string>): Promise<readonly string[]> {
  const answer = await answerOf(origin + path);
  const html = await answer.text();
  const faults = answer.status < 500 ? [] : [`answers ${String(answer.status)}`];
  const report = await validator.validateString(html);
  for (const { messages } of report.results) for (const { ruleId, message } of messages) faults.push(`${ruleId}: ${message}`);
  for (const [, escaped = ''] of html.matchAll(/ (?:href|src)="(\/[^"#]*)/gu)) {
    const link = escaped.replaceAll('&amp;', '&');
    if (known.has(link)) continue;
    known.add(link);
    const { status } = await answerOf(origin + link);
    if (status >= 400) faults.push(`${link} answers ${String(status)}`);
  }
  return faults;
}

describeBrowser('every page in every language, theme and size, with JavaScript and without', (executablePath) => {
  const browser = new SuiteBrowser();
  let demo: Awaited<ReturnType<typeof demoAt>>;

  beforeAll(async () => {
    await browser.start(executablePath);
    demo = await demoAt(NOW);
  }, 90_000);

  afterAll(() => browser.stop());

  it('is visited in each state', () => {
    expect(statesOf(demo.records, NOW).map(([name]) => name)).toEqual(STATES);
  });

  it.each(STATES.flatMap((state) => LANGUAGES.map((language) => [state, language] as const)))(
    'is valid, accessible, within the screen and reached by keyboard, and its links answer: %s, %s',
    async (state, language) => {
      const records = new Map(statesOf(demo.records, NOW)).get(state) ?? [];
      const { origin, stop } = await serve(records, demo.approved, NOW, { language });
      const pages = pagesOf(demo.records);
      const [faults, known]: [string[], Set<string>] = [[], new Set()];
      const report = (name: string, found: readonly string[]) => faults.push(...found.map((fault) => `${name}: ${fault}`));
      for (const [name, path] of pages) report(name, await faultsOfText(origin, path, known));
      for (const hasScript of [true, false]) {
        const problems = await browser.onPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' }, async (page) => {
          // Without JavaScript, axe could not run either.
          if (!hasScript) await page.route(/\.js$/u, (route) => route.abort());
          for (const [name, path] of pages) {
            for (let tries = 0; (await page.goto(origin + path))?.status() === 503 && tries < TRIES; tries++);
            for (const width of WIDTHS) {
              await page.setViewportSize({ width, height: 900 });
              if ((await overflow(page)) > 0) report(name, [`scrolls sideways at ${String(width)} px`]);
              const colorScheme = THEMES[width];
              if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
              if (colorScheme === undefined && !hasScript) continue;
              report(`${name}, ${String(width)} px`, await accessibilityFaults(page, colorScheme === undefined ? ALL_BUT_CONTRAST : undefined));
            }
            if (!hasScript) continue;
            report(`${name}, by keyboard`, (await walkByKeyboard(page)).missed);
            await page.emulateMedia({ forcedColors: 'active' });
            await page.setViewportSize({ width: 360, height: 900 });
            report(`${name}, forced colours`, await forcedColourFaults(page));
            report(`${name}, forced colours, by keyboard`, (await walkByKeyboard(page)).missed);
            await page.emulateMedia({ forcedColors: 'none' });
          }
        });
        report(hasScript ? 'with script' : 'without script', problems);
      }
      stop();
      expect(faults).toEqual([]);
    },
    LONGEST_MS,
  );
});
