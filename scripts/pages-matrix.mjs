// Visits every page in every state, language, theme and size, with JavaScript and without: `node scripts/pages-matrix.mjs [--states outage,hostile] [--pages status,service]`. Prints each
// fault. A torture run starts it.
import { parseArgs } from 'node:util';
import axe from 'axe-core';
import { HtmlValidate } from 'html-validate/node';
import { chromium } from 'playwright-core';
import { findChromium } from '../test-support/dist/index.js';
import { demoAt, pagesOf, serve, statesOf } from './site-states.mjs';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LANGUAGES = ['en', 'de'];
const WIDTHS = [360, 768, 1_440, 2_560];
/** Accessibility is judged once in each theme, on the sizes whose layouts differ most: it takes nearly all of the time. */
const THEMES = { 360: 'light', 1_440: 'dark' };
const FOCUSABLE = 'a[href], button, input, select, summary, [tabindex="0"]';
const TRIES = 20;

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  // The style of the text, which the renderer decides, and the titles of records.
  rules: Object.fromEntries(
    [
      'void-style',
      'attribute-boolean-style',
      'attribute-empty-style',
      'doctype-style',
      'no-trailing-whitespace',
      'long-title',
      'no-raw-characters',
    ].map((rule) => [rule, 'off']),
  ),
});

/** The answer, which on a busy machine takes several tries. */
async function answerOf(address) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(address, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    if (answer.status !== 503 || tries === TRIES) return answer;
  }
}

/** What is wrong with the HTML and its links, which depend on neither size nor theme. @param known the links that were followed before */
async function faultsOfText(origin, path, known) {
  const answer = await answerOf(origin + path);
  const html = await answer.text();
  const faults = answer.status < 500 ? [] : [`answers ${answer.status}`];
  const report = await validator.validateString(html);
  for (const { messages } of report.results) for (const { ruleId, message } of messages) faults.push(`${ruleId}: ${message}`);
  for (const [, escaped] of html.matchAll(/ (?:href|src)="(\/[^"#]*)/g)) {
    const link = escaped.replaceAll('&amp;', '&');
    if (known.has(link)) continue;
    known.add(link);
    const { status } = await answerOf(origin + link);
    if (status >= 400) faults.push(`${link} answers ${status}`);
  }
  return faults;
}

/** A page whose every problem is noted: what runs, what it says, and what it asks others for. */
async function openPage(browser, hasScript, problems) {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  // Without JavaScript, axe could not run either.
  if (!hasScript) await page.route(/\.js$/, (route) => route.abort());
  page.on('dialog', (dialog) => {
    problems.push(`a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  return page;
}

async function accessibilityFaults(page) {
  // Not a script element, so the policy of the page allows it.
  await page.evaluate(`globalThis.axe === undefined && (() => {${axe.source}})()`);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }));
  return violations.map(({ id, nodes: [first] }) => `${id} ${first.target} ${first.failureSummary}`);
}

/** What the keyboard does not reach. */
async function missedByKeyboard(page) {
  const count = await page.evaluate((focusable) => {
    const reached = new Set();
    document.addEventListener('focusin', ({ target }) => reached.add(target));
    const all = [...document.querySelectorAll(focusable)].filter((element) => element.checkVisibility() && element.tabIndex >= 0);
    globalThis.missed = () =>
      all.filter((element) => !reached.has(element) && !isOtherChoice(element)).map(({ outerHTML }) => outerHTML.slice(0, 120));
    // The arrow keys walk the choices of a group.
    const isOtherChoice = (element) => element.type === 'radio' && !element.checked;
    return all.length;
  }, FOCUSABLE);
  for (let step = 0; step < 3 * count; step++) {
    await page.keyboard.press('Tab');
    if (step % count === count - 1 && (await page.evaluate(() => globalThis.missed())).length === 0) return [];
  }
  return (await page.evaluate(() => globalThis.missed())).map((element) => `the keyboard does not reach ${element}`);
}

async function goTo(page, address) {
  for (let tries = 0; tries < TRIES && (await page.goto(address)).status() === 503; tries++);
}

/** What is wrong with a page in a browser, in all sizes and themes. */
async function faultsInBrowser(page, address, problems, hasScript) {
  const faults = [];
  problems.length = 0;
  await goTo(page, address);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over > 0) faults.push(`${width} px: scrolls sideways by ${over} px`);
    const colorScheme = THEMES[width];
    if (colorScheme === undefined) continue;
    await page.emulateMedia({ colorScheme });
    for (const fault of await accessibilityFaults(page)) faults.push(`${width} px, ${colorScheme}: ${fault}`);
  }
  if (hasScript) faults.push(...(await missedByKeyboard(page)));
  return [...faults, ...problems];
}

async function visit(browser, state, language, [records, approved], pages) {
  const { origin, stop } = await serve(records, approved, NOW, { language });
  const known = new Set();
  let count = 0;
  const report = (name, way, faults) => {
    count += faults.length;
    for (const fault of faults) console.log(`${state}, ${language}, ${name}, ${way}: ${fault}`);
  };
  for (const [name, path] of pages) report(name, 'text', await faultsOfText(origin, path, known));
  for (const hasScript of [true, false]) {
    const problems = [];
    const page = await openPage(browser, hasScript, problems);
    for (const [name, path] of pages)
      report(name, hasScript ? 'with script' : 'without script', await faultsInBrowser(page, origin + path, problems, hasScript));
    await page.context().close();
  }
  stop();
  return count;
}

const { values } = parseArgs({ options: { states: { type: 'string' }, pages: { type: 'string' } } });
const isChosen = (chosen, name) => chosen === undefined || chosen.split(',').includes(name);
const demo = await demoAt(NOW);
const states = statesOf(demo.records, NOW).filter(([name]) => isChosen(values.states, name));
const pages = pagesOf(demo.records).filter(([name]) => isChosen(values.pages, name));
// Containers have no sandbox for their root user, and often a small /dev/shm.
const browser = await chromium.launch({ executablePath: findChromium(process.env), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
let count = 0;
for (const [state, records] of states)
  for (const language of LANGUAGES) count += await visit(browser, state, language, [records, demo.approved], pages);
await browser.close();
console.log(`${count} faults on ${pages.length} pages in ${states.length} states`);
process.exit(count === 0 ? 0 : 1);
