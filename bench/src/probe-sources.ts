import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSources, Scheduler, type Source } from '@vitrine/collector';
import { loadConfig } from '@vitrine/collector';
import { HOUR, MINUTE, SECOND } from '@vitrine/core';
import { startChild } from './child-process.js';
import { DroppingStore } from './dropping-store.js';
import { megabytesInUse } from './garbage.js';
import { atMost, type Figure } from './measure.js';
import { VirtualTimers } from './virtual-timers.js';
import { mustBe } from './wrong-answer.js';

const PROBES = 200;
const INTERVAL = 30 * SECOND;
/** The virtual time of one turn of the event loop, so that a request takes virtual time too. */
const TURN_MS = 10;
/** Until then, caches fill. */
const WARM_UP_MS = 10 * MINUTE;
const START = Date.UTC(2026, 10, 20, 12);

/** When a probe was due, and when it started. */
interface Run {
  readonly due: number;
  readonly startedAt: number;
}

/** Runs probes of a configuration for a virtual hour against a server in another process. What they store is counted and dropped. */
export async function probeSourceFigures(): Promise<readonly Figure[]> {
  const { message, stop } = await startChild<{ readonly port: number }>('feed-server.js', []);
  const timers = new VirtualTimers(START);
  const states = new Set<string>();
  let checks = 0;
  const store = new DroppingStore((record) => {
    if (record.kind !== 'check') return;
    checks += 1;
    states.add(`${record.state} ${record.rawState}`);
  });
  const runs = new Map<string, Run[]>();
  const scheduler = new Scheduler({ writer: store.writer, collection: store.collection, clock: timers });
  timers.install();
  try {
    scheduler.start(probes(`http://127.0.0.1:${String(message.port)}/statuses`, timers).map((source) => recorded(source, timers, runs)));
    await pass(timers, WARM_UP_MS);
    const before = megabytesInUse();
    await pass(timers, HOUR - WARM_UP_MS);
    const growth = megabytesInUse() - before;
    mustBe('checks in an hour', checks >= PROBES * (HOUR / INTERVAL - 1), true);
    mustBe('states of the checks', [...states], ['operational http 200']);
    const title = `${String(PROBES)} probes every 30 s, an hour on a virtual clock`;
    return [
      atMost(`${title}: latest start after slot and jitter`, latest(runs), 'ms', SECOND),
      atMost(`${title}: growth of memory after 10 minutes`, Math.max(0, growth), 'MiB', 5),
    ];
  } finally {
    timers.uninstall();
    await scheduler.stop();
    stop();
  }
}

async function pass(timers: VirtualTimers, milliseconds: number): Promise<void> {
  const end = timers.now() + milliseconds;
  while (timers.now() < end) {
    timers.advance(TURN_MS);
    await nextTurn();
  }
}

/** The longest delay of all runs. Checks that each probe keeps to its slots. */
function latest(runs: ReadonlyMap<string, readonly Run[]>): number {
  mustBe('probes that ran', runs.size, PROBES);
  let longest = 0;
  for (const [id, ofProbe] of runs) {
    const [first] = ofProbe;
    const offsets = ofProbe.map(({ due }) => ((due - (first?.due ?? 0) + 1.5 * INTERVAL) % INTERVAL) - INTERVAL / 2);
    mustBe(`whether ${id} keeps its place within the interval`, Math.max(...offsets) - Math.min(...offsets) < SECOND, true);
    for (const { due, startedAt } of ofProbe) longest = Math.max(longest, startedAt - due);
  }
  return longest;
}

/** The same source, whose runs are recorded, apart from the first one, which starts at once. */
function recorded(source: Source, timers: VirtualTimers, runs: Map<string, Run[]>): Source {
  const ofProbe: Run[] = [];
  runs.set(source.id, ofProbe);
  let due: number | null = null;
  return {
    id: source.id,
    intervalMs: source.intervalMs,
    registration: source.registration,
    nextRunAt: (now) => (due = source.nextRunAt?.(now) ?? now),
    run: (context) => {
      if (due !== null) ofProbe.push({ due, startedAt: timers.now() });
      return source.run(context);
    },
  };
}

function probes(target: string, clock: VirtualTimers): readonly Source[] {
  const lines = Array.from({ length: PROBES }, (_, index) => {
    const number = String(index);
    return `  - {key: "acme:${number}", name: Service ${number}, check: "${target}", allowPrivate: true}`;
  });
  const config = loadConfig({ text: `approved: []\nservices:\n${lines.join('\n')}\n`, file: 'vitrine.yaml', env: {} });
  return createSources(config, { folder: '', origin: null, clock }).filter(({ registration }) => registration?.sourceType === 'probe');
}
