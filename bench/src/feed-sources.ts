import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { createSources, type Source } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { startChild } from './child-process.js';
import { collected } from './collected.js';
import { atLeast, atMost, percentile, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const FEEDS = 100;
const ITEMS = 50;
const LARGE_FEEDS = 4;
const LARGE_ITEMS = 5_000;
const ROUNDS = 3;
const clock = { now: () => Date.now() };

/** Runs feed sources of a configuration against a server in another process, into stores in folders. */
export async function feedSourceFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-feeds-'));
  const { message, stop } = await startChild<{ readonly port: number }>('feed-server.js', []);
  const origin = `http://127.0.0.1:${String(message.port)}`;
  try {
    const unchanged: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      unchanged.push(await secondsOfUnchanged(origin, join(folder, `small-${String(round)}`), round));
      rates.push(await recordsPerSecond(origin, join(folder, `large-${String(round)}`)));
    }
    return [
      atMost(`${String(FEEDS)} feeds of ${String(ITEMS)} items, nothing changed: CPU time`, percentile(unchanged, 0.5), 's', 1),
      atLeast(
        `${(LARGE_FEEDS * LARGE_ITEMS).toLocaleString('en')} feed items into a store in a folder, first run`,
        percentile(rates, 0.5),
        'records/s',
        5_000,
      ),
    ];
  } finally {
    stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function secondsOfUnchanged(origin: string, path: string, round: number): Promise<number> {
  const store = await openSqliteStore({ clock, path });
  const sources = feedSources(origin, FEEDS, ITEMS);
  mustBe('new records of the first run', await collected(store, sources, clock), FEEDS * ITEMS);
  const before = process.cpuUsage();
  mustBe('new records of the second run', await collected(store, sources, clock), 0);
  const { user, system } = process.cpuUsage(before);
  const statuses = (await (await fetch(`${origin}/statuses`)).json()) as Readonly<Record<string, number>>;
  mustBe('responses with the status 304', statuses['304'], (round + 1) * FEEDS);
  await store.close();
  return (user + system) / 1_000_000;
}

async function recordsPerSecond(origin: string, path: string): Promise<number> {
  const store = await openSqliteStore({ clock, path });
  const sources = feedSources(origin, LARGE_FEEDS, LARGE_ITEMS);
  const startedAt = performance.now();
  const stored = await collected(store, sources, clock);
  const seconds = (performance.now() - startedAt) / 1_000;
  mustBe('new records', stored, LARGE_FEEDS * LARGE_ITEMS);
  await store.close();
  return stored / seconds;
}

function feedSources(origin: string, feeds: number, items: number): readonly Source[] {
  const lines = Array.from({ length: feeds }, (_, index) => {
    const number = String(index);
    return `  - {feed: "${origin}/${number}/${String(items)}", label: Blog ${number}, allowPrivate: true}`;
  });
  const config = loadConfig({ text: `approved: []\nsources:\n${lines.join('\n')}\n`, file: 'vitrine.yaml', env: {} });
  return createSources(config, { folder: '', origin: null }).filter(({ registration }) => registration?.sourceType === 'feed');
}
