import { setTimeout as sleep } from 'node:timers/promises';
import { describeMongod, type MongodProcess, type ReplicaSet } from '@vitrine/test-support';
import { openLoop, percentile99, type Heard } from './support/open-loop.js';
import { fill, isStale, KNOWN, PROBED, Servers, type ServedDatabase } from './support/served-database.js';

const PER_SECOND = 200;
const SECONDS = 30;
const FAULT_AFTER_MS = 500;
/** For effects that show only after a long time. */
const LONG_RUN_S = 60 * Number(process.env['VITRINE_TORTURE_MINUTES'] ?? 10);
const GROWTH_BYTES = 3 * 1_024 * 1_024;
/** The allowed growth of the connection pools to three members. */
const GROWTH_HANDLES = 60;
const LONGEST_REFUSAL_MS = 1_600;

interface Asked extends Heard {
  readonly path: string;
  readonly isKnown: boolean;
  /** Milliseconds since the start of the load. */
  readonly askedAt: number;
}

describeMongod('a replica set of three under load', (mongo) => {
  const servers = new Servers();
  let set: ReplicaSet;
  let db: Parameters<typeof fill>[0];
  let api: ServedDatabase;
  const killed: MongodProcess[] = [];

  beforeAll(async () => {
    set = await mongo.replicaSet();
    // The database that a connection string without a name means. The records stay when servers are killed.
    db = (await mongo.connect(set.uri)).db('vitrine', { writeConcern: { w: 'majority', journal: true } });
    [api] = await Promise.all([servers.start(set.uri, PROBED), fill(db)]);
    await api.ready();
    for (const path of KNOWN) await api.ask(path);
    // The figures are for a server that has run for a while.
    await load('warmed', 10, () => undefined);
  });
  afterAll(() => servers.end());

  /** Every second request is for an address that was never requested, so no copy exists. */
  async function load(name: string, seconds: number, fault: () => unknown, perSecond = PER_SECOND): Promise<readonly Asked[]> {
    const startedAt = performance.now();
    let serial = 0;
    const send = async (): Promise<Asked> => {
      serial += 1;
      const isKnown = serial % 2 === 0;
      const path = isKnown ? (KNOWN[(serial / 2) % KNOWN.length] ?? KNOWN[0]) : api.newAddress();
      const askedAt = performance.now() - startedAt;
      return { ...(await api.ask(path)), path, isKnown, askedAt };
    };
    const [heard] = await Promise.all([openLoop(perSecond, seconds, send), sleep(FAULT_AFTER_MS).then(fault)]);
    tell(name, heard);
    return heard;
  }

  /** After a time-out, a reader is tried by one request at a time. Other requests get a copy meanwhile. */
  async function recovered(): Promise<void> {
    for (const path of KNOWN) await api.process.eventually(`read ${path} again`, async () => !isStale(await api.ask(path)));
  }

  async function kill(member: MongodProcess): Promise<void> {
    killed.push(member);
    await member.kill();
  }

  /** Restarts the members that an earlier test, or an earlier try of the same one, has killed. */
  async function whole(): Promise<void> {
    for (const member of killed.splice(0)) await member.restart();
    await set.healthy();
    await recovered();
  }

  const failed = (heard: readonly Asked[]) => heard.filter(({ status }) => status >= 500).map(describeFailure);

  function expectUnnoticed(heard: readonly Asked[]): void {
    const known = heard.filter(({ isKnown }) => isKnown);
    expect(known.length).toBeGreaterThan(PER_SECOND / 2);
    expect(failed(known)).toEqual([]);
    expect(heard.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(heard.length).toBeGreaterThan(0.9 * PER_SECOND * SECONDS);
    expect(failed(heard)).toEqual([]);
    expect(heard.filter(isStale)).toEqual([]);
    expect(percentile99(heard)).toBeLessThan(50);
    expect(longest(heard)).toBeLessThan(500);
  }

  it('serves every request while the primary steps down', async () => {
    expectUnnoticed(await load('step-down', SECONDS, () => set.stepDown()));
    await recovered();
  });

  it('serves last good responses while the primary is frozen, rejects other requests in time, and soon reads from another member', async () => {
    const primary = await set.primary();
    try {
      const heard = await load('frozen', SECONDS, () => {
        primary.pause();
      });
      const known = heard.filter(({ isKnown }) => isKnown);
      expect([failed(known), known.some(isStale)]).toEqual([[], true]);
      expect(heard.every(({ status }) => status === 200 || status === 503)).toBe(true);
      expect(longest(heard)).toBeLessThan(LONGEST_REFUSAL_MS);
      await api.process.eventually('read from another member', async () => (await api.ask(api.newAddress())).status === 200);
    } finally {
      primary.resume();
      await set.healthy();
      await recovered();
    }
  });

  const faults = [
    () => set.stepDown(),
    async () => {
      const primary = await set.primary();
      primary.pause();
      await sleep(6_000);
      primary.resume();
    },
    async () => {
      const primary = await set.primary();
      await primary.kill();
      await sleep(3_000);
      await primary.restart();
    },
  ] as const;

  async function heldAfter(name: string, seconds: number, fault: () => unknown = () => undefined) {
    await load(name, seconds, fault, PER_SECOND / 2);
    await set.healthy();
    await sleep(5_000);
    const held = await api.held();
    process.stdout.write(`${name}: ${JSON.stringify(held)}\n`);
    return held;
  }

  it('uses no more resources after many requests and faults than after the first', async () => {
    const first = await heldAfter('begun', Math.max(45, 0.15 * LONG_RUN_S));
    const later = await heldAfter('half load', 0.45 * LONG_RUN_S);
    expect(later.bytes - first.bytes).toBeLessThan(GROWTH_BYTES);
    const turns = Math.max(1, Math.round((0.4 * LONG_RUN_S) / (20 * faults.length)));
    for (let turn = 0; turn < turns; turn += 1) for (const fault of faults) await heldAfter(`faults ${String(turn)}`, 15, fault);
    const last = await api.held();
    expect(last.bytes - first.bytes).toBeLessThan(GROWTH_BYTES);
    expect(last.handles - first.handles).toBeLessThan(GROWTH_HANDLES);
    // The data from the start of the suite are no longer fresh.
    await fill(db);
    await recovered();
  });

  it('serves every request while the primary is killed', async () => {
    await whole();
    const primary = await set.primary();
    expectUnnoticed(await load('killed', SECONDS, () => kill(primary)));
  });

  it('reads from the last member if there is no majority, and reports that it is degraded', async () => {
    await whole();
    const [secondary] = await set.secondaries();
    if (secondary === undefined) throw new Error('no secondary');
    await kill(secondary);
    const primary = await set.primary();
    const heard = await load('no majority', SECONDS, () => kill(primary));
    expectUnnoticed(heard);
    const ready = await api.ask('/readyz');
    expect([ready.status, ready.body]).toEqual([200, '{"status":"degraded"}']);
  });
});

function describeFailure({ path, body, askedAt, tookMs }: Asked): string {
  const { detail } = JSON.parse(body) as { readonly detail: string };
  return `${path}, asked after ${askedAt.toFixed(0)} ms, answered ${tookMs.toFixed(0)} ms later: ${detail}`;
}

function longest(heard: readonly Heard[]): number {
  return Math.max(...heard.map(({ tookMs }) => tookMs));
}

function tell(name: string, heard: readonly Asked[]): void {
  const refused = heard.filter(({ status }) => status >= 500);
  const slow = heard.filter(({ tookMs }) => tookMs > 50);
  const figures = [`p99 ${percentile99(heard).toFixed(1)} ms`, `longest ${longest(heard).toFixed(0)} ms`, `stale ${heard.filter(isStale).length}`];
  const when = `${refused.length} of 5xx${asked(refused)}, ${slow.length} over 50 ms${asked(slow)}`;
  process.stdout.write(`${name}: ${heard.length} answers, ${figures.join(', ')}, ${when}\n`);
}

/** The times of requests, in tenths of a second. */
function asked(heard: readonly Asked[]): string {
  const tenths = new Set(heard.map(({ askedAt }) => Math.floor(askedAt / 100)));
  return tenths.size === 0 ? '' : ` (asked in the tenths ${[...tenths].sort((a, b) => a - b).join(' ')})`;
}
