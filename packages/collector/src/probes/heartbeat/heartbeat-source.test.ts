import { currentState, DAY, HOUR, MINUTE, SECOND, type Check } from '@vitrine/core';
import type { HeartbeatServiceConfig } from '@vitrine/config';
import { FakeStore } from '../../testing/fake-store.js';
import { HeartbeatSource, type HeartbeatReceiver } from './heartbeat-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const TOKEN = 'a-token-of-a-backup';
/** A simulated day takes long, because a source runs every minute. */
const HOURLY = { intervalMs: HOUR, graceMs: 5 * MINUTE };
const HOURLY_VALIDITY = HOUR + 5 * MINUTE;

/** A clock whose time of day can be set. */
class SettableClock {
  #time = NOW;
  #elapsed = 5_000_000;

  readonly now = () => this.#time;
  readonly elapsed = () => this.#elapsed;

  passes(milliseconds: number): void {
    this.#time += milliseconds;
    this.#elapsed += milliseconds;
  }

  set(time: number): void {
    this.#time = time;
  }
}

let store: FakeStore;
let clock: SettableClock;
let since: number | Error;
let refusedAt: number;
let shared: boolean;
beforeEach(() => {
  store = new FakeStore();
  clock = new SettableClock();
  [since, refusedAt, shared] = [clock.elapsed(), -Infinity, false];
});

const receiver: HeartbeatReceiver = {
  start: () => undefined,
  stop: () => Promise.resolve(),
  listeningSince: () => (since instanceof Error ? Promise.reject(since) : Promise.resolve(since)),
  get refusedAt() {
    return refusedAt;
  },
  isShared: () => shared,
};

const source = (more: Partial<HeartbeatServiceConfig> = {}, environment: Readonly<Record<string, string>> = { BACKUP_TOKEN: TOKEN }) =>
  new HeartbeatSource({
    service: { key: 'acme:backup', intervalMs: DAY, graceMs: HOUR, tokenVariable: 'BACKUP_TOKEN', ...more },
    environment,
    publicAddress: () => 'https://acme.example/backup',
    receiver,
  });

const run = (beats: HeartbeatSource, writer = store) =>
  beats.run({ writer, collection: store, clock, signal: new AbortController().signal, progress: () => undefined });

/** Runs the source whenever it is due, as the scheduler does. */
async function pass(beats: HeartbeatSource, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0;) {
    const pause = Math.min(left, beats.nextRunAt(clock.now()) - clock.now());
    clock.passes(pause);
    left -= pause;
    await run(beats);
  }
}

const checks = () => store.all.filter((record): record is Check => record.kind === 'check').sort((a, b) => a.checkedAt - b.checkedAt);
const history = () => checks().map(({ state, rawState, checkedAt }) => `${state} ${rawState} +${String(checkedAt - NOW)}`);

describe('HeartbeatSource', () => {
  it('stores a heartbeat at the time when it came, valid for the interval and the grace', async () => {
    const beats = source();
    beats.receive('ok', clock);
    clock.passes(3 * SECOND);
    expect(await run(beats)).toEqual({ stored: 1, unchanged: 0, removed: 0, warnings: [], notices: [] });
    expect(store.all).toMatchObject([
      {
        kind: 'check',
        serviceKey: 'acme:backup',
        state: 'operational',
        rawState: 'ok',
        checkedAt: NOW,
        responseTimeMs: null,
        validForMs: DAY + HOUR,
        provenance: { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl: 'https://acme.example/backup', observedAt: NOW },
      },
      { kind: 'sync', id: 'heartbeat:acme:backup', sourceType: 'heartbeat', label: 'acme:backup', feeds: ['check'], intervalMs: MINUTE },
    ]);
  });

  it('keeps the worst word of a slot, at its own time', async () => {
    const beats = source();
    for (const [word, expected] of [
      ['ok', 'operational ok +1000'],
      ['ok', 'operational ok +1000'],
      ['reported', 'outage reported +3000'],
      ['ok', 'outage reported +3000'],
      ['reported', 'outage reported +3000'],
    ] as const) {
      clock.passes(SECOND);
      beats.receive(word, clock);
      await run(beats);
      expect(history()).toEqual([expected]);
    }
  });

  it('stores of many heartbeats between two runs one for each slot', async () => {
    const beats = source({ intervalMs: MINUTE, graceMs: 0 });
    for (let second = 0; second < 150; second++) {
      beats.receive(second === 100 ? 'reported' : 'ok', clock);
      clock.passes(SECOND);
    }
    await run(beats);
    expect(history()).toEqual(['operational ok +0', 'outage reported +100000', 'operational ok +120000']);
    await run(beats);
    expect(checks()).toHaveLength(3);
  });

  it('removes a replaced check also if it was interrupted before', async () => {
    const beats = source();
    beats.receive('ok', clock);
    await run(beats);
    clock.passes(SECOND);
    beats.receive('reported', clock);
    const remove = store.remove.bind(store);
    store.remove = () => Promise.reject(new Error('killed'));
    await expect(run(beats)).rejects.toThrow('killed');
    expect(checks()).toHaveLength(2);
    store.remove = remove;
    await run(source());
    expect(history()).toEqual(['outage reported +1000']);
  });

  it('stores an outage exactly when a heartbeat is missing, and again after each further interval', async () => {
    const beats = source(HOURLY);
    await run(beats);
    beats.receive('ok', clock);
    await run(beats);
    await pass(beats, HOURLY_VALIDITY - 1);
    expect(history()).toEqual(['operational ok +0']);
    await pass(beats, 1);
    const first = HOURLY_VALIDITY;
    expect(history()).toEqual(['operational ok +0', `outage missed +${String(first)}`]);
    await pass(beats, 2 * HOUR);
    expect(history().slice(2)).toEqual([first + HOUR, first + 2 * HOUR].map((at) => `outage missed +${String(at)}`));
    expect(checks().map(({ validForMs }) => validForMs)).toEqual(Array(4).fill(HOURLY_VALIDITY));
    clock.passes(HOUR);
    beats.receive('ok', clock);
    await run(beats);
    expect(history().at(-1)).toBe(`operational ok +${String(first + 3 * HOUR)}`);
  });

  it('misses nothing before the interval and the grace have passed since heartbeats can be received', async () => {
    const beats = source({ intervalMs: 10 * MINUTE, graceMs: MINUTE });
    await run(beats);
    await pass(beats, 10 * MINUTE);
    expect(checks()).toEqual([]);
    // The listener was started again.
    since = clock.elapsed();
    await run(beats);
    await pass(beats, 11 * MINUTE - 1);
    expect(checks()).toEqual([]);
    await pass(beats, 1);
    expect(history()).toEqual([`outage missed +${String(21 * MINUTE)}`]);
  });

  it('misses nothing after a restart in which another process stored the last heartbeat', async () => {
    const beats = source(HOURLY);
    beats.receive('ok', clock);
    await run(beats);
    clock.passes(5 * HOUR);
    since = clock.elapsed();
    const restarted = source(HOURLY);
    await run(restarted);
    await pass(restarted, HOUR);
    expect(history()).toEqual(['operational ok +0']);
  });

  it('is due at the right moment even if the interval is longer than the longest timer', async () => {
    const beats = source({ intervalMs: 31 * DAY, graceMs: DAY });
    await run(beats);
    expect(beats.nextRunAt(clock.now()) - clock.now()).toBe(MINUTE);
    clock.passes(32 * DAY - 20 * SECOND);
    await run(beats);
    expect(beats.nextRunAt(clock.now()) - clock.now()).toBe(20 * SECOND);
    await pass(beats, 20 * SECOND);
    expect(checks()).toMatchObject([{ rawState: 'missed', validForMs: 32 * DAY }]);
  });

  it.each([
    ['ahead', 40 * DAY],
    ['back', -40 * DAY],
  ])('misses a heartbeat neither sooner nor later if the clock is set %s', async (_where, by) => {
    const beats = source(HOURLY);
    beats.receive('ok', clock);
    await run(beats);
    clock.set(NOW + by);
    await pass(beats, HOURLY_VALIDITY - 1);
    expect(checks()).toHaveLength(1);
    await pass(beats, 1);
    expect(checks().some(({ rawState, checkedAt }) => rawState === 'missed' && checkedAt === NOW + by + HOURLY_VALIDITY)).toBe(true);
  });

  it.each([
    ['a heartbeat', 'ok', 'missed', 'outage'],
    ['a failure', 'reported', 'ok', 'operational'],
  ] as const)('lets %s from before the clock was set back say nothing about the time that comes again', async (_, before, after, state) => {
    const beats = source(HOURLY);
    for (let hour = 0; hour < 6; hour++) {
      beats.receive(before, clock);
      await run(beats);
      await pass(beats, HOUR);
    }
    const back = NOW - 20 * MINUTE;
    clock.set(back);
    // Also after a restart.
    since = clock.elapsed();
    const restarted = source(HOURLY);
    await run(restarted);
    if (after === 'missed') await pass(restarted, HOURLY_VALIDITY);
    const from = clock.now();
    while (clock.now() < NOW + 9 * HOUR) {
      if (after === 'ok' && (clock.now() - back) % HOUR === 0) restarted.receive('ok', clock);
      await run(restarted);
      const counted = checks().filter(({ checkedAt }) => checkedAt <= clock.now() + MINUTE);
      expect([clock.now() - NOW, currentState(counted.slice(-1), clock.now())]).toEqual([clock.now() - NOW, state]);
      clock.passes(MINUTE);
    }
    expect(new Set(checks().flatMap(({ rawState, checkedAt }) => (checkedAt >= from ? [rawState] : [])))).toEqual(new Set([after]));
  });

  it('keeps the checks of the future that have not come yet, because the clock may be wrong only now', async () => {
    const beats = source(HOURLY);
    for (let hour = 0; hour < 3; hour++) {
      beats.receive('ok', clock);
      await run(beats);
      await pass(beats, HOUR);
    }
    const right = clock.now();
    const stored = history();
    clock.set(NOW - 40 * DAY);
    beats.receive('reported', clock);
    await run(beats);
    clock.set(right);
    await pass(beats, 10 * MINUTE);
    expect(history()).toEqual([`outage reported +${String(-40 * DAY)}`, ...stored]);
  });

  it('keeps heartbeats that could not be stored for the next run', async () => {
    const beats = source();
    beats.receive('ok', clock);
    const broken = Object.assign(new FakeStore(), { put: () => Promise.reject(new Error('disk full')) });
    await expect(run(beats, broken)).rejects.toThrow('disk full');
    clock.passes(MINUTE);
    await run(beats);
    expect(history()).toEqual(['operational ok +0']);
  });

  it('stores a missed heartbeat once, also if the first attempt fails', async () => {
    const beats = source();
    await run(beats);
    clock.passes(DAY + HOUR);
    const broken = Object.assign(new FakeStore(), { put: () => Promise.reject(new Error('disk full')) });
    await expect(run(beats, broken)).rejects.toThrow('disk full');
    clock.passes(SECOND);
    await run(beats);
    await run(beats);
    expect(checks()).toHaveLength(1);
  });

  it('says when the store refuses a heartbeat', async () => {
    const beats = source();
    beats.receive('ok', clock);
    store.refuse = (record) => (record.kind === 'check' ? 'frozen-day' : null);
    expect(await run(beats)).toMatchObject({ stored: 0, warnings: ['the store refused a heartbeat: frozen-day'] });
  });

  it.each([
    ['is not set', {}, 'NO_VARIABLE', 'acme:backup needs the environment variable BACKUP_TOKEN, which is not set'],
    ['is too short', { BACKUP_TOKEN: 'only-15-letters' }, 'WEAK_TOKEN', 'cannot be used. Set it to 16 to 200 characters of A-Z a-z 0-9 . _ ~ -'],
    ['has other characters', { BACKUP_TOKEN: 'sixteen letters/and-more' }, 'WEAK_TOKEN', 'cannot be used'],
  ])('fails and stores nothing if the token %s', async (_why, environment, code, message) => {
    const beats = source({}, environment);
    const failure: unknown = await run(beats).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) as string });
    for (const token of Object.values(environment)) expect(String(failure)).not.toContain(token);
    expect(store.all).toEqual([]);
    expect(beats.nextRunAt(clock.now()) - clock.now()).toBe(MINUTE);
  });

  it('fails and stores nothing while heartbeats cannot be received, or belong to another service too', async () => {
    since = Object.assign(new Error('port in use'), { code: 'NOT_LISTENING' });
    clock.passes(9 * DAY);
    await expect(run(source())).rejects.toThrow('port in use');
    [since, shared] = [clock.elapsed(), true];
    await expect(run(source())).rejects.toMatchObject({ code: 'SAME_TOKEN' });
    expect(store.all).toEqual([]);
  });
});
