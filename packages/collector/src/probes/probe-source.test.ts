import { MINUTE, type Check } from '@vitrine/core';
import { FakeStore } from '../testing/fake-store.js';
import { sharedCanary, failed, reached, type Probe, type ProbeOutcome } from './probe.js';
import { SourceError } from '../running/source.js';
import { ProbeSource, type ProbeSourceOptions } from './probe-source.js';
import { wrappedWriter } from '../running/vouching.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const UP = reached('http 200', 12.4, null);
const DOWN = failed('http 503');

let now: number;
let store: FakeStore;
/** The states of the service's checks in the order in which they were stored. */
let history: string[];
beforeEach(() => {
  now = NOW;
  store = new FakeStore();
  history = [];
});

/** Each attempt takes a second of the clock. */
function answering(...outcomes: readonly (ProbeOutcome | Error)[]): { readonly probe: Probe; readonly left: (ProbeOutcome | Error)[] } {
  const left = [...outcomes];
  const probe: Probe = () => {
    now += 1_000;
    const next = left.shift();
    return next instanceof Error || next === undefined ? Promise.reject(next ?? new Error('asked too often')) : Promise.resolve(next);
  };
  return { probe, left };
}

function source(probe: Probe, more: Partial<ProbeSourceOptions> = {}, confirmAfter = 2): ProbeSource {
  return new ProbeSource({
    service: { key: 'acme:web', intervalMs: 30_000, confirmAfter, dependency: false },
    probe,
    canary: null,
    publicAddress: () => 'https://acme.example/',
    pauseMs: 0,
    ...more,
  });
}

const contextOf = (signal = new AbortController().signal) => ({
  writer: {
    ...wrappedWriter(store),
    put: (records: Parameters<FakeStore['put']>[0]) => {
      for (const record of records)
        if (record.kind === 'check') history.push(`${record.state} ${record.rawState} +${String(record.checkedAt - NOW)}`);
      return store.put(records);
    },
  },
  collection: store,
  clock: { now: () => now },
  signal,
  progress: () => undefined,
});

const checks = () => store.all.filter((record): record is Check => record.kind === 'check');

describe('ProbeSource', () => {
  it('stores a success with its time, how long it counts and the public address', async () => {
    expect(await source(answering(UP).probe).run(contextOf())).toEqual({ stored: 1, unchanged: 0, removed: 0, warnings: [], notices: [] });
    expect(store.all).toMatchObject([
      {
        kind: 'check',
        serviceKey: 'acme:web',
        state: 'operational',
        rawState: 'http 200',
        checkedAt: NOW,
        responseTimeMs: 12,
        validForMs: 15 * MINUTE,
        provenance: { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl: 'https://acme.example/', isOfficialSource: true },
      },
      { kind: 'sync', id: 'probe:acme:web', sourceType: 'probe', label: 'acme:web', feeds: ['check'], lastSuccessAt: NOW },
    ]);
  });

  it('stores a failure at once as unknown, and as an outage at the same time when all further attempts have failed', async () => {
    const { probe, left } = answering(DOWN, DOWN, DOWN);
    await source(probe).run(contextOf());
    expect(left).toEqual([]);
    expect(history).toEqual(['unknown unconfirmed +0', 'outage http 503 +0']);
    expect(checks()).toMatchObject([{ state: 'outage', checkedAt: NOW, responseTimeMs: null }]);
  });

  it('stores a failure whose repetition succeeds as degraded, and the success at its own time', async () => {
    await source(answering(DOWN, DOWN, UP).probe).run(contextOf());
    expect(history).toEqual(['unknown unconfirmed +0', 'degraded recovered +0', 'operational http 200 +2000']);
    expect(checks()).toMatchObject([
      { state: 'degraded', checkedAt: NOW, responseTimeMs: null },
      { state: 'operational', checkedAt: NOW + 2_000 },
    ]);
  });

  it('counts a degraded service as reached', async () => {
    await source(answering(DOWN, { ...UP, state: 'degraded' }).probe).run(contextOf());
    expect(history).toEqual(['unknown unconfirmed +0', 'degraded recovered +0', 'degraded http 200 +1000']);
  });

  it('confirms a failure at once after three failures among the last ten scheduled attempts', async () => {
    const recovering = [DOWN, UP] as const;
    const later = [DOWN, UP, UP, UP, DOWN, UP, UP, UP, UP, ...recovering];
    const probing = source(answering(...recovering, UP, ...recovering, UP, ...recovering, UP, ...later).probe);
    const runs: string[] = [];
    for (let run = 0; run < 16; run++) {
      history.length = 0;
      await probing.run(contextOf());
      runs.push(history.map((line) => line.split(' ')[0]).join(' '));
    }
    const [up, recovered] = ['operational', 'unknown degraded operational'];
    expect(runs.slice(0, 7)).toEqual([recovered, up, recovered, up, recovered, up, 'outage']);
    // The ten attempts before the last run contain two failures.
    expect(runs.slice(7)).toEqual([up, up, up, 'outage', up, up, up, up, recovered]);
  });

  it('counts no failure while the prober itself is offline', async () => {
    const canary = sharedCanary(() => Promise.resolve(DOWN));
    const probing = source(answering(DOWN, DOWN, DOWN, DOWN, UP).probe, { canary }, 1);
    for (let run = 0; run < 2; run++) await probing.run(contextOf());
    await probing.run(contextOf());
    expect(history.at(-1)).toContain('operational');
  });

  it('asks again if this process was too busy to measure', async () => {
    const lags = [300, 20, 20];
    const measureLag = () => {
      const lag = lags.shift() ?? 0;
      return () => lag;
    };
    await source(answering(DOWN, UP).probe, { measureLag }).run(contextOf());
    expect(history).toEqual(['operational http 200 +1000']);
  });

  it('stores nothing and fails while this process stays too busy to measure', async () => {
    const { probe, left } = answering(DOWN, UP, DOWN, UP);
    const run = source(probe, { measureLag: () => () => 300 }).run(contextOf());
    await expect(run).rejects.toMatchObject({ code: 'PROCESS_BUSY' });
    expect([history, left]).toEqual([[], [UP]]);
  });

  it('stores an outage at once where nothing has to be confirmed', async () => {
    await source(answering(DOWN).probe, {}, 0).run(contextOf());
    expect(history).toEqual(['outage http 503 +0']);
  });

  it('says that nothing is known while the canary fails too', async () => {
    const canary = sharedCanary(answering(DOWN).probe);
    await source(answering(DOWN, DOWN, DOWN).probe, { canary }).run(contextOf());
    expect(history).toEqual(['unknown unconfirmed +0', 'unknown prober offline +4000']);
  });

  it('stores the outage while the canary responds, and asks no canary for a success', async () => {
    const online = answering(UP);
    const canary = sharedCanary(online.probe);
    await source(answering(UP).probe, { canary }).run(contextOf());
    expect(online.left).toHaveLength(1);
    await source(answering(DOWN, DOWN, DOWN).probe, { canary }).run(contextOf());
    expect(history.at(-1)).toBe('outage http 503 +1000');
  });

  it('says in the log that the canary does not respond', async () => {
    const canary = sharedCanary(answering(DOWN).probe);
    const { warnings } = await source(answering(DOWN).probe, { canary }, 0).run(contextOf());
    expect(warnings).toEqual([expect.stringContaining('the canary does not respond')]);
  });

  it('says nothing about the canary in a run that does not ask it, even if an earlier run could not reach it', async () => {
    const canary = sharedCanary(answering(DOWN).probe);
    const probing = source(answering(DOWN, DOWN, DOWN, UP, UP).probe, { canary }, 1);
    expect((await probing.run(contextOf())).warnings).toHaveLength(1);
    for (const states of ['unknown degraded operational', 'operational']) {
      history = [];
      expect((await probing.run(contextOf())).warnings).toEqual([]);
      expect(history.map((line) => line.split(' ', 1).join('')).join(' ')).toBe(states);
    }
  });

  it('stores the outage if the canary may not be asked, and says what to correct', async () => {
    const canary = sharedCanary(answering(new SourceError('add allowPrivate: true', 'PRIVATE_ADDRESS')).probe);
    const { warnings } = await source(answering(DOWN).probe, { canary }, 0).run(contextOf());
    expect(history).toEqual(['outage http 503 +0']);
    expect(warnings).toEqual(['add allowPrivate: true']);
  });

  it('tries again within 5 s', async () => {
    const startedAt = performance.now();
    await source(answering(DOWN, UP).probe, { pauseMs: undefined } as unknown as Partial<ProbeSourceOptions>, 5).run(contextOf());
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(history).toHaveLength(3);
  });

  it('fails and stores no check when the probe itself cannot run', async () => {
    await expect(source(answering(new Error('no variable')).probe).run(contextOf())).rejects.toThrow('no variable');
    expect(store.all).toEqual([]);
  });

  it('stores nothing more when it is stopped during an attempt or a pause', async () => {
    const stop = new AbortController();
    const stopping: Probe = () => {
      stop.abort(new Error('stopping'));
      return Promise.resolve(DOWN);
    };
    await expect(source(stopping).run(contextOf(stop.signal))).rejects.toThrow('stopping');
    expect(store.all).toEqual([]);
    const second = new AbortController();
    const paused = source(answering(DOWN).probe, { pauseMs: 60_000 }).run(contextOf(second.signal));
    setTimeout(() => second.abort(new Error('stopping')), 10);
    await expect(paused).rejects.toMatchObject({ name: 'AbortError' });
    expect(history).toEqual(['unknown unconfirmed +0']);
  });

  it('marks what somebody else runs as not official', async () => {
    const service = { key: 'acme:web', intervalMs: 30_000, confirmAfter: 0, dependency: true };
    await source(answering(UP).probe, { service }).run(contextOf());
    expect(checks()).toMatchObject([{ provenance: { isOfficialSource: false } }]);
  });

  it('says when the store refuses the check', async () => {
    store.refuse = (record) => (record.kind === 'check' ? 'frozen-day' : null);
    expect(await source(answering(UP).probe).run(contextOf())).toMatchObject({
      stored: 0,
      warnings: ['the store refused the check: frozen-day'],
    });
  });
});
