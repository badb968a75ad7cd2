// Takes the pictures of the README from the demo: `npm run pictures`, and a contact sheet of all pages and states, to look at. `--sheet` takes the sheet only. With the same
// fonts and the same browser, the pictures have the same bytes each time.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { loadDemo } from '../packages/collector/dist/index.js';
import { Allowlist, HOUR, MINUTE, SECOND } from '../packages/core/dist/index.js';
import { createVitrineHandler } from '../apps/http/dist/index.js';
import { findChromium } from '../test-support/dist/index.js';

const FOLDER = new URL('../docs/pictures/', import.meta.url);
const DEMO = fileURLToPath(new URL('../examples/demo.ndjson', import.meta.url));
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

/** Records on a free port, at this moment. */
async function serve(records, approvedNames, now, site = {}) {
  const clock = { now: () => now };
  const store = await openMemoryStore({ clock });
  await store.writer.put(records, { signal: new AbortController().signal });
  const approved = new Allowlist(approvedNames).approved();
  const publicUrl = 'https://status.acme.example';
  const handler = createVitrineHandler({ store, approved: () => approved, publicUrl, clock, site: { title: 'Acme', ...site } });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}

/** The first screen, or the whole page. */
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
  writeFileSync(
    new URL('index.html', SHEET),
    `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>${style}</style>\n${figures}\n`,
  );
  console.log(`.cache/pictures/index.html shows ${shown.length} pictures`);
}

/** A name and an address for each kind of page. */
function pagesOf(records) {
  const idOf = (kind) => encodeURIComponent(records.find((record) => record.kind === kind).id);
  const commit = records.find(({ kind }) => kind === 'commit');
  const lists = ['commits', 'releases', 'findings', 'missions', 'news', 'articles', 'videos', 'repositories'];
  return [
    ['overview', '/'],
    ['status', '/status'],
    ['history', '/status/history'],
    ['service', '/status/services/acme%3Awidget-api'],
    ['incident', `/status/incidents/${idOf('incident')}`],
    ...lists.map((list) => [list, `/${list}`]),
    ['commit', `/commits/${encodeURIComponent(`${commit.repositoryRef}@${commit.sha}`)}`],
    ...['release', 'finding', 'mission', 'article', 'video'].map((kind) => [kind, `/${kind}s/${idOf(kind)}`]),
    ['news-record', `/news/${idOf('news')}`],
    ['repository', '/repositories/acme/widget'],
    ['search', '/search?q=widget'],
    ['about', '/about'],
    ['lost', '/nothing'],
  ];
}

const STATUS_KINDS = new Set(['service', 'check', 'status-day', 'incident']);
const HOSTILE = ['</title><script>alert(1)</script>', 'W'.repeat(300), '\u202eabc \u0645\u0631\u062d\u0628\u0627 \u{1f469}\u200d\u{1f680}', ''];

/** A name and the records of each state in which a site can be. */
function statesOf(records, now) {
  const service = records.find(({ kind, key }) => kind === 'service' && key === 'acme:widget-api');
  const newest = records.findLast(({ kind, serviceKey }) => kind === 'check' && serviceKey === service.key);
  const check = (state, more = {}) => ({
    ...newest,
    state,
    rawState: state === 'outage' ? 'HTTP 503' : state,
    checkedAt: now + SECOND,
    validForMs: HOUR,
    ...more,
  });
  const incident = (state, more) => {
    const known = records.find((record) => record.kind === 'incident' && record.incidentKind === 'declared');
    const services = [{ key: service.key, displayName: service.displayName, impacts: [] }];
    const updates = [
      { id: 'now~1', state, body: 'A **bad configuration** reached one of three nodes. We are rolling it back.', createdAt: now - 8 * MINUTE },
    ];
    return {
      ...known,
      id: 'now',
      title: 'Requests to the Widget API fail',
      state,
      impact: 'major',
      services,
      updates,
      startedAt: now - 26 * MINUTE,
      resolvedAt: null,
      ...more,
    };
  };
  const synced = (lastSuccessAt) =>
    records.map((record) => (record.kind === 'sync' ? { ...record, lastSuccessAt, lastAttemptAt: lastSuccessAt } : record));
  const hostile = (record, index) => {
    const text = HOSTILE[index % HOSTILE.length];
    const texts = ['title', 'name', 'displayName', 'authorName'].filter((field) => typeof record[field] === 'string' && record.kind !== 'repository');
    return { ...record, ...Object.fromEntries(texts.map((field) => [field, text])) };
  };
  const many = Array.from({ length: 100 }, (_, index) => {
    const key = `acme:service-${String(index).padStart(3, '0')}`;
    const checks = Array.from({ length: 24 }, (_unused, hour) =>
      check(index % 33 === 7 && hour === 0 ? 'outage' : 'operational', {
        serviceKey: key,
        checkedAt: now - hour * HOUR,
        responseTimeMs: 60 + ((index * 31 + hour * 17) % 90),
      }),
    );
    return [{ ...service, key, displayName: `Service ${index + 1}`, group: `Group ${Math.floor(index / 20) + 1}`, order: index }, ...checks];
  });
  return [
    [
      'first-day',
      [
        { ...service, firstSeenAt: now - HOUR },
        ...[1, 11, 21].map((minutes) => check('operational', { checkedAt: now - minutes * MINUTE, responseTimeMs: 80 + minutes })),
      ],
    ],
    ['well', records],
    ['degraded', [...records, check('degraded')]],
    ['outage', [...records, check('outage', { responseTimeMs: null }), incident('identified')]],
    ['maintenance', [...records, check('maintenance'), incident('in_progress', { incidentKind: 'maintenance', impact: 'maintenance' })]],
    ['stale', synced(now - 3 * 24 * HOUR)],
    ['partial', synced(null)],
    ['status-only', records.filter(({ kind }) => STATUS_KINDS.has(kind))],
    ['development-only', records.filter(({ kind }) => !STATUS_KINDS.has(kind) && kind !== 'sync')],
    ['one-repository', records.filter(({ repositoryRef }) => repositoryRef === 'acme/handbook')],
    ['hundred-services', many.flat()],
    ['hostile', records.map(hostile)],
  ];
}

const { values } = parseArgs({ options: { now: { type: 'string', default: NOW }, sheet: { type: 'boolean', default: false } } });
const now = Date.parse(values.now);
if (Number.isNaN(now)) fail(`--now ${values.now} is not a time. Use a time such as ${NOW}.`);
const executablePath = findChromium(process.env);
if (executablePath === null) fail('No Chromium was found. Install Chromium, or name it in VITRINE_CHROMIUM.');

const demo = await loadDemo(DEMO, now);
// Containers have no sandbox for their root user, and often a small /dev/shm.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  if (!values.sheet) await readmePictures(browser, demo, now);
  await contactSheet(browser, demo, now);
} finally {
  await browser.close();
}
