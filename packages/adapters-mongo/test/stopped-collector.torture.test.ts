import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { NOW } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES } from '../src/collections.js';
import { acquireLease, createMongoWriters, initStore } from '../src/index.js';
import { begin, collect, LASTS_MS, REPEATED, type CollectingOptions } from './support/collected.js';
import { contentsOf, expectSame, restore, type Contents } from './support/contents.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const LOST = 4;
const COMMIT = 'commitTransaction';
/** Paused collectors mostly wait until a lease expires, so several can run at once. */
const AT_ONCE = 3;

const ALL = COLLECTION_NAMES.filter((name) => name !== 'leases');
type Moment = CollectingOptions['moment'];
type Work = CollectingOptions['work'];
const MOMENTS: readonly Moment[] = ['before', 'during', 'after'];

/** The command at which a collector is paused: its number, name and collection. */
interface Point {
  readonly number: number;
  readonly command: string;
  readonly moment: Moment;
}

const program = ['-C', '@vitrine/source', ...['../../../test/run-typescript.cjs', 'collecting-process.ts'].map((file) => resolve(__dirname, file))];

/** A transaction that conflicts with a renewal of the lease is repeated. A run without a conflict has fewer commands. */
function withoutRepeated(lines: readonly string[]): readonly string[] {
  const commands: string[] = [];
  for (const line of lines) {
    if (line !== REPEATED) commands.push(line);
    else {
      if (commands.at(-1) === COMMIT) commands.pop();
      commands.length = commands.lastIndexOf(COMMIT) + 1;
    }
  }
  return commands;
}

/** A collector in a process of its own. */
class Collector {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(options: CollectingOptions) {
    this.#child = spawn(process.execPath, [...program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = once(this.#child, 'close').then(([code]: (number | null)[]) => code ?? null);
    if (this.#child.stdout !== null) createInterface(this.#child.stdout).on('line', (line) => this.lines.push(line));
  }

  /** Resolves when it has paused itself. Rejects if it ends instead. */
  async stopped(): Promise<void> {
    const early = this.ended.then((code) => Promise.reject(new Error(`it ended with ${String(code)} before it was stopped`)));
    const told = (async () => {
      while (this.lines.at(-1) !== 'stopped') await new Promise((again) => setTimeout(again, 10));
    })();
    await Promise.race([told, early]);
  }

  /** Whether it had nothing left to write when it continued. */
  get isDone(): boolean {
    return this.lines.at(-1) === 'stopped';
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

describeMongo('a collector that is stopped for longer than its lease', (databases) => {
  let start: Contents;
  const own: Db[] = [];
  const running = new Set<Collector>();

  beforeAll(async () => {
    for (let count = 0; count < AT_ONCE; count += 1) own.push(await databases.database());
    await Promise.all(own.map((db) => initStore(db, { clock })));
    const [db] = own;
    if (db === undefined) throw new Error('no database');
    const { writer, settled } = createMongoWriters(db, { clock });
    await begin(writer, context);
    await settled();
    start = await contentsOf(db, ALL);
  });

  afterAll(() => {
    for (const collector of running) collector.kill();
  });

  function collector(db: Db, options: Pick<CollectingOptions, 'work'> & Partial<CollectingOptions>): Collector {
    const place = { uri: databases.uri, database: db.databaseName, holder: 'first', stopAt: null, moment: 'before' } as const;
    const one = new Collector({ ...place, ...options });
    running.add(one);
    void one.ended.then(() => running.delete(one));
    return one;
  }

  /** The state after all collectors have ended. */
  function outcome(db: Db): Promise<Contents> {
    return contentsOf(db, ALL);
  }

  /** The second collector is never paused, so it needs no process of its own. Rejects if it loses the lease. */
  async function collectsSecond(db: Db): Promise<void> {
    const lease = await acquireLease(db, { holder: 'second', lastsMs: LASTS_MS, ...context });
    const { writer, settled } = createMongoWriters(db, { clock, lease });
    await collect(writer, 'second', context)
      .finally(() => settled())
      .finally(() => lease.release());
    expect(lease.lost.aborted).toBe(false);
  }

  /** The result of the second collector without the first. */
  async function alone(db: Db): Promise<Contents> {
    await restore(db, start);
    await collectsSecond(db);
    return outcome(db);
  }

  /** All commands at which the first collector can be paused. */
  async function pointsOf(db: Db, work: Work): Promise<readonly Omit<Point, 'moment'>[]> {
    await restore(db, start);
    const first = collector(db, { work });
    expect(await first.ended).toBe(0);
    return withoutRepeated(first.lines).map((command, number) => ({ number, command }));
  }

  async function changesNothing(db: Db, work: Work, { number, command, moment }: Point, expected: Contents): Promise<void> {
    await restore(db, start);
    const first = collector(db, { work, stopAt: number, moment });
    await first.stopped();
    await collectsSecond(db);
    const before = await contentsOf(db, ALL);
    first.goOn();
    // If the last commit succeeded before the pause, nothing was lost.
    const code = await first.ended;
    expect([number, command, moment, code]).toEqual([number, command, moment, first.isDone && code === 0 ? 0 : LOST]);
    expectSame(await contentsOf(db, ALL), before);
    expectSame(await outcome(db), expected);
    expect(await db.collection('leases').countDocuments()).toBe(0);
  }

  async function eachChangesNothing(work: Work, points: readonly Point[], expected: Contents): Promise<void> {
    const left = [...points];
    const results = await Promise.allSettled(
      own.map(async (db) => {
        for (let point = left.shift(); point !== undefined; point = left.shift()) await changesNothing(db, work, point, expected);
      }),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  it.each<Work>(torture ? ['first', 'reindex'] : ['first'])(
    'changes nothing when it continues, at whatever command of its work (%s) it was paused',
    async (work) => {
      const [db, other] = own;
      if (db === undefined || other === undefined) throw new Error('no database');
      const [expected, commands] = await Promise.all([alone(db), pointsOf(other, work)]);
      const all = commands.flatMap((command) => MOMENTS.map((moment): Point => ({ ...command, moment })));
      await eachChangesNothing(work, torture ? all : sample(all), expected);
    },
    torture ? 3_600_000 : 60_000,
  );
});

/** One example of each kind of commit. */
const SAMPLE: readonly (readonly [string, Moment])[] = [
  ['update status_days', 'before'],
  ['update status_trails', 'during'],
  ['update repositories', 'after'],
  ['delete releases', 'before'],
  ['update syncs', 'during'],
  ['commitTransaction', 'during'],
];

function sample(points: readonly Point[]): readonly Point[] {
  return SAMPLE.map(([command, moment]) => {
    const found = points.filter((point) => point.command === command && point.moment === moment);
    const point = found[found.length >> 1];
    if (point === undefined) throw new Error(`it never comes to ${command}`);
    return point;
  });
}
