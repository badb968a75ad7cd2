// Takes the pictures of the README from the demo, the same bytes with the same fonts and browser, and a contact sheet of all pages and states. `--sheet`: the sheet only.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from '../test-support/dist/index.js';
import { demoAt, pagesOf, serve, statesOf } from '../apps/http/test/support/site-states.mjs';

const FOLDER = new URL('../docs/pictures/', import.meta.url);
const SHEET = new URL('../.cache/pictures/', import.meta.url);
const WIDTHS = [360, 1_440];
const NOW = '2026-11-20T12:00:00Z';
const SIZE = { width: 1280, height: 1060 };
/** A page may take too long on a busy machine. */
const MOST_TRIES = 10;
const MOST_BYTES = 200_000;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function picture(browser, address, now, { viewport, colorScheme = 'light', fullPage = false }) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  for (let tries = 0; (await page.goto(address, { waitUntil: 'networkidle' })).status() === 503; tries++) {
    if (tries === MOST_TRIES) fail(`${address} answers with 503. Try again when the machine is less busy.`);
    await setTimeout(1_000);
  }
  const bytes = await page.screenshot({ fullPage });
  await context.close();
  return bytes;
}

async function readmePictures(browser, demo, now) {
  const { origin, stop } = await serve(demo.records, demo.approved, now);
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    const name = `overview-${colorScheme}.png`;
    const bytes = await picture(browser, origin, now, { viewport: SIZE, colorScheme });
    if (bytes.length > MOST_BYTES) fail(`${name} has ${bytes.length} bytes, more than ${MOST_BYTES}. Make the picture smaller.`);
    writeFileSync(new URL(name, FOLDER), bytes);
    console.log(`docs/pictures/${name} is written`);
  }
  stop();
}

/** One page of each kind at two widths, and the overview in each state. */
async function contactSheet(browser, demo, now) {
  mkdirSync(SHEET, { recursive: true });
  const shown = [];
  const take = async (name, address, width) => {
    const file = `${name}-${width}.png`;
    writeFileSync(new URL(file, SHEET), await picture(browser, address, now, { viewport: { width, height: 900 }, fullPage: true }));
    shown.push(file);
  };
  const served = await serve(demo.records, demo.approved, now);
  for (const [name, path] of pagesOf(demo.records)) for (const width of WIDTHS) await take(name, served.origin + path, width);
  served.stop();
  for (const [name, records] of statesOf(demo.records, now)) {
    const { origin, stop } = await serve(records, demo.approved, now);
    await take(`state-${name}`, `${origin}/`, WIDTHS[1]);
    stop();
  }
  const figures = shown.map((file) => `<figure><img src="${file}" loading="lazy"><figcaption>${file}</figcaption></figure>`).join('\n');
  const style = 'body{columns:4 20rem;font:14px system-ui}figure{margin:0 0 1rem;break-inside:avoid}img{width:100%;border:1px solid #ccc}';
  const page = `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>${style}</style>\n${figures}\n`;
  writeFileSync(new URL('index.html', SHEET), page);
  console.log(`.cache/pictures/index.html shows ${shown.length} pictures`);
}

const { values } = parseArgs({ options: { now: { type: 'string', default: NOW }, sheet: { type: 'boolean', default: false } } });
const now = Date.parse(values.now);
if (Number.isNaN(now)) fail(`--now ${values.now} is not a time. Use a time such as ${NOW}.`);
const executablePath = findChromium(process.env);
if (executablePath === null) fail('No Chromium was found. Install Chromium, or name it in VITRINE_CHROMIUM.');

const demo = await demoAt(now);
// Containers have no sandbox for their root user, and often a small /dev/shm.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  if (!values.sheet) await readmePictures(browser, demo, now);
  await contactSheet(browser, demo, now);
} finally {
  await browser.close();
}
