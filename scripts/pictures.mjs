// Takes the pictures of the README from the demo: `npm run pictures`. With the same fonts and the same browser, they have the same bytes each time.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { loadDemo } from '../packages/collector/dist/index.js';
import { Allowlist } from '../packages/core/dist/index.js';
import { createVitrineHandler } from '../apps/http/dist/index.js';
import { findChromium } from '../test-support/dist/index.js';

const FOLDER = new URL('../docs/pictures/', import.meta.url);
const DEMO = fileURLToPath(new URL('../examples/demo.ndjson', import.meta.url));
const NOW = '2026-11-20T12:00:00Z';
const SIZE = { width: 1280, height: 1060 };
const MOST_BYTES = 200_000;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The demo on a free port, at this moment. */
async function serveDemo(now) {
  const clock = { now: () => now };
  const demo = await loadDemo(DEMO, now);
  const store = await openMemoryStore({ clock });
  await store.writer.put(demo.records, { signal: new AbortController().signal });
  const approved = new Allowlist(demo.approved).approved();
  const publicUrl = 'https://status.acme.example';
  const handler = createVitrineHandler({ store, approved: () => approved, publicUrl, clock, site: { title: 'Acme' } });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

async function picture(browser, origin, now, colorScheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(origin, { waitUntil: 'networkidle' });
  const bytes = await page.screenshot();
  await context.close();
  if (bytes.length > MOST_BYTES) fail(`overview-${colorScheme}.png has ${bytes.length} bytes, more than ${MOST_BYTES}. Make the picture smaller.`);
  return bytes;
}

const { values } = parseArgs({ options: { now: { type: 'string', default: NOW } } });
const now = Date.parse(values.now);
if (Number.isNaN(now)) fail(`--now ${values.now} is not a time. Use a time such as ${NOW}.`);
const executablePath = findChromium(process.env);
if (executablePath === null) fail('No Chromium was found. Install Chromium, or name it in VITRINE_CHROMIUM.');

const { server, origin } = await serveDemo(now);
// Containers have no sandbox for their root user, and often a small /dev/shm.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const scheme of ['light', 'dark']) {
    const file = new URL(`overview-${scheme}.png`, FOLDER);
    writeFileSync(file, await picture(browser, origin, now, scheme));
    console.log(`docs/pictures/overview-${scheme}.png is written`);
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
