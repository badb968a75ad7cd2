import { Allowlist } from '@vitrine/core';
import { FakeStore } from '../testing/fake-store.js';
import { Scheduler } from './scheduler.js';
import type { Receiver, RunReport, Source, SourceContext, SourceRuns } from './source.js';

const DONE: RunReport = { stored: 1, unchanged: 0, removed: 0, warnings: [] };
/** What a source waits for. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Lets time pass. The timers are fake, so a busy machine changes no order. */
const passes = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

/** Lets time pass until a promise is settled. */
async function during<Result>(running: Promise<Result>): Promise<Result> {
  await passes(1_000);
  return running;
}

function source(id: string, intervalMs: number, run: (context: SourceContext) => Promise<RunReport>): Source {
  return { id, intervalMs, run };
}

function scheduler() {
  const store = new FakeStore();
  const heard: string[] = [];
  const made = new Scheduler({
    writer: store,
    collection: store,
    clock: { now: () => 0 },
    onReport: ({ id }) => heard.push(`${id} done`),
    onError: ({ id }, error) => heard.push(`${id} failed: ${String(error)}`),
    onProgress: ({ id }, done, what) => heard.push(`${id} ${String(done)} ${what}`),
  });
  return { made, heard };
}

/** What a receiver was told. */
interface Pushed {
  runs: SourceRuns | null;
  stops: number;
}

function receiverInto(pushed: Pushed): Receiver {
  return {
    start: (runs) => {
      pushed.runs = runs;
    },
    stop: () => {
      pushed.stops++;
      return Promise.resolve();
    },
  };
}

describe('Scheduler', () => {
  it('counts a failure once if the source is also asked to run now', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const startsOf = async (isAsked: boolean): Promise<readonly number[]> => {
      const starts: number[] = [];
      const begun = performance.now();
      const failing = source('remote', 1_000, () => {
        starts.push(performance.now() - begun);
        return Promise.reject(new Error('gone'));
      });
      const { made } = scheduler();
      made.start([{ ...failing, isRemote: true }]);
      if (isAsked) void made.runNow(made.repeated()[0] ?? failing);
      await passes(600_000);
      await made.stop();
      return starts;
    };
    const alone = await startsOf(false);
    expect(alone.length).toBeGreaterThan(2);
    expect(await startsOf(true)).toEqual(alone);
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('runs each source once, in order, and goes on after a failure', async () => {
    const { made, heard } = scheduler();
    const outcomes = await made.runOnce([
      source('a', 1, () => Promise.reject(new Error('broken'))),
      source('b', 1, ({ progress }) => {
        progress(3, 'lines');
        return Promise.resolve(DONE);
      }),
    ]);
    expect(heard).toEqual(['a failed: Error: broken', 'b 3 lines', 'b done']);
    expect(outcomes.map(({ report }) => report)).toEqual([null, DONE]);
  });

  it('repeats a source on its interval, also after failures, and never twice at once', async () => {
    const { made, heard } = scheduler();
    let running = 0;
    let most = 0;
    made.start([
      source('slow', 10, async () => {
        most = Math.max(most, ++running);
        await pause(25);
        running--;
        return DONE;
      }),
      source('bad', 10, () => Promise.reject(new Error('no'))),
    ]);
    await passes(150);
    await during(made.stop());
    expect(most).toBe(1);
    expect(heard.filter((line) => line === 'slow done').length).toBeGreaterThanOrEqual(2);
    expect(heard.filter((line) => line === 'bad failed: Error: no').length).toBeGreaterThanOrEqual(3);
  });

  it('runs a source whose first run failed after 30 s, 1 min, 2 min and so on up to its interval, and on its interval once it has succeeded', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const { made } = scheduler();
    const [startedAt, times]: [number, number[]] = [performance.now(), []];
    const run = () => (times.push((performance.now() - startedAt) / 1_000) > 5 ? Promise.resolve(DONE) : Promise.reject(new Error('no')));
    made.start([source('new', 300_000, run)]);
    await passes(1_500_000);
    await during(made.stop());
    expect(times).toEqual([0, 30, 90, 210, 450, 750, 1_050, 1_350]);
  });

  it('waits as long as the server of a failed source asks, without delaying another source', async () => {
    const { made, heard } = scheduler();
    made.start([
      source('limited', 5, () => Promise.reject(Object.assign(new Error('http 429'), { retryAfterMs: 60_000 }))),
      source('other', 5, () => Promise.resolve(DONE)),
    ]);
    await passes(1_000);
    await during(made.stop());
    expect(heard.filter((line) => line === 'other done').length).toBeGreaterThan(10);
    expect(heard.filter((line) => line.startsWith('limited'))).toHaveLength(1);
  });

  it('goes on with other sources while one never ends', async () => {
    const { made, heard } = scheduler();
    const stuck = source(
      'stuck',
      5,
      ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
    );
    made.start([stuck, source('other', 5, () => Promise.resolve(DONE))]);
    await passes(1_000);
    await during(made.stop());
    expect(heard.filter((line) => line === 'other done').length).toBeGreaterThan(100);
    expect(new Set(heard)).toEqual(new Set(['other done']));
  });

  it('runs a remote source that keeps failing less and less often, and as usual after a success', async () => {
    const { made } = scheduler();
    const starts: number[] = [];
    const failing = source('a', 20, () => {
      starts.push(performance.now());
      return starts.length < 5 ? Promise.reject(new Error('no')) : Promise.resolve(DONE);
    });
    made.start([{ ...failing, isRemote: true }]);
    await passes(20 + 40 + 80 + 160 + 3 * 20);
    await during(made.stop());
    // Pauses of 20, 40, 80 and 160 ms, the later ones at most a fifth shorter.
    expect((starts[4] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(20 + 0.8 * (40 + 80 + 160));
    expect(starts.length).toBeGreaterThanOrEqual(7);
  });

  it.each([
    [10, 0],
    [300, 45],
    [28_800, 100],
  ])('tries a source soon again until its first run succeeds (interval of %i s, runs of %i s)', async (interval, takes) => {
    const SECOND = 1_000;
    const failures = 5;
    const { made } = scheduler();
    const runs: { readonly start: number; readonly end: number }[] = [];
    const failing = source('a', interval * SECOND, async () => {
      const start = performance.now();
      await pause(takes * SECOND);
      runs.push({ start, end: performance.now() });
      return runs.length <= failures ? Promise.reject(new Error('no')) : DONE;
    });
    made.start([failing]);
    while (runs.length < failures + 2) await jest.advanceTimersToNextTimerAsync();
    await during(made.stop());
    const pauses = runs.slice(0, failures).map(({ end }, run) => ((runs[run + 1]?.start ?? Infinity) - end) / SECOND);
    for (const [run, paused] of pauses.entries()) {
      const planned = Math.min(interval, 30 * 2 ** run);
      expect(paused).toBeGreaterThanOrEqual(planned - 0.01);
      expect(paused).toBeLessThanOrEqual(Math.min(interval, 1.2 * planned) + 0.01);
    }
    const [success, next] = runs.slice(failures);
    expect(((next?.start ?? 0) - (success?.start ?? 0)) / SECOND).toBeCloseTo(Math.max(interval, takes), 1);
  });

  it('never runs a source without a pause, however long its interval is', async () => {
    for (const days of [1, 24, 25, 30, 365, 100_000]) {
      const { made, heard } = scheduler();
      made.start([source('a', days * 86_400_000, () => Promise.resolve(DONE))]);
      await passes(1_000);
      expect(heard).toEqual(['a done']);
      await during(made.stop());
    }
  });

  it.each([undefined, null, Number.NaN, Infinity, '60s', 0, -5])('refuses a source with the interval %p, in each of its calls', async (interval) => {
    const wrong = [source('a', interval as number, () => Promise.resolve(DONE))];
    const { made, heard } = scheduler();
    const message = `The source "a" has the intervalMs ${String(interval)}. It must be a number of milliseconds above 0.`;
    expect(() => made.start(wrong)).toThrow(new TypeError(message));
    await expect(made.runOnce(wrong)).rejects.toThrow(new TypeError(message));
    made.start([]);
    expect(() => made.replace(wrong)).toThrow(new TypeError(message));
    expect(() => made.replace(wrong[0] as unknown as readonly Source[])).toThrow(new TypeError('A Scheduler needs a list of sources.'));
    await during(made.stop());
    expect([heard, jest.getTimerCount()]).toEqual([[], 0]);
  });

  it('counts the interval from start to start', async () => {
    const { made } = scheduler();
    const starts: number[] = [];
    made.start([
      source('a', 400, async () => {
        starts.push(performance.now());
        await pause(300);
        return DONE;
      }),
    ]);
    await passes(399);
    expect(starts).toHaveLength(1);
    await passes(1);
    expect(starts).toHaveLength(2);
    await during(made.stop());
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBe(400);
  });

  it('runs a source on demand, after a run that has begun, and then on its interval again', async () => {
    const { made } = scheduler();
    const starts: number[] = [];
    const pushed: Pushed = { runs: null, stops: 0 };
    const waiting = source('a', 400, async () => {
      starts.push(performance.now());
      await pause(100);
      return DONE;
    });
    const begin = performance.now();
    const pushedTo = { ...waiting, receiver: receiverInto(pushed) };
    made.start([pushedTo]);
    await passes(50);
    const reports = [pushed.runs?.run(pushedTo), pushed.runs?.run(pushedTo)];
    expect(pushed.runs?.sources()).toEqual([pushedTo]);
    await passes(150);
    expect(await Promise.all(reports)).toEqual([DONE, DONE]);
    await passes(900);
    await during(made.stop());
    expect(starts.map((at) => at - begin)).toEqual([0, 100, 500, 900]);
    expect(await pushed.runs?.run(pushedTo)).toBeNull();
    expect(pushed.stops).toBe(1);
  });

  it('says that a run on demand has failed', async () => {
    const { made } = scheduler();
    const pushed: Pushed = { runs: null, stops: 0 };
    const failing = { ...source('a', 400, () => Promise.reject(new Error('no'))), receiver: receiverInto(pushed) };
    made.start([failing]);
    await passes(10);
    const report = pushed.runs?.run(failing);
    await passes(10);
    expect(await report).toBeNull();
    await during(made.stop());
  });

  it('starts a receiver once for all its sources, stops it with the last one, and can start it again', async () => {
    const { made } = scheduler();
    const pushed: Pushed = { runs: null, stops: 0 };
    const receiver = receiverInto(pushed);
    const [a, b] = ['a', 'b'].map((id) => ({ ...source(id, 400, () => Promise.resolve(DONE)), receiver })) as [Source, Source];
    made.start([a, b]);
    await passes(1);
    made.replace([b]);
    await passes(1);
    expect(pushed.stops).toBe(0);
    made.replace([]);
    made.replace([a]);
    await passes(1);
    expect([pushed.stops, pushed.runs?.sources()]).toEqual([1, [a]]);
    await during(made.stop());
  });

  it('runs a source with a receiver not once, because nobody could send it anything', async () => {
    const { made, heard } = scheduler();
    const receiver = receiverInto({ runs: null, stops: 0 });
    const outcomes = await made.runOnce([{ ...source('a', 1, () => Promise.resolve(DONE)), receiver }, source('b', 1, () => Promise.resolve(DONE))]);
    expect([outcomes.length, heard]).toEqual([1, ['b done']]);
  });

  it('stops by ending what runs, waits for it, and starts nothing afterwards', async () => {
    const { made, heard } = scheduler();
    let runs = 0;
    let ended = false;
    made.start([
      source('a', 5, async ({ signal }) => {
        runs++;
        while (!signal.aborted) await pause(5);
        await pause(20);
        ended = true;
        throw new Error('cut off');
      }),
    ]);
    await passes(20);
    await during(made.stop());
    expect(ended).toBe(true);
    await passes(30);
    expect(runs).toBe(1);
    expect(heard).toEqual([]);
    expect(await made.runOnce([source('b', 1, () => Promise.resolve(DONE))])).toEqual([]);
  });

  it.each(['it was started', 'it was stopped'])('does not start when %s before, so that stop ends all that runs', async (before) => {
    const { made, heard } = scheduler();
    const pushed: Pushed = { runs: null, stops: 0 };
    const repeated = source('a', 5, () => Promise.resolve(DONE));
    if (before === 'it was started') made.start([repeated]);
    else await during(made.stop());
    expect(() => made.start([repeated, { ...repeated, receiver: receiverInto(pushed) }])).toThrow('A Scheduler starts only once.');
    await passes(20);
    await during(made.stop());
    const runs = heard.length;
    await passes(100);
    expect([heard.length, pushed.runs, jest.getTimerCount()]).toEqual([runs, null, 0]);
  });

  it('joins a run of the same source instead of starting a second one', async () => {
    const { made } = scheduler();
    let runs = 0;
    const same = source('a', 60_000, async () => {
      runs++;
      await pause(20);
      return DONE;
    });
    made.start([same]);
    expect(await during(made.runOnce([same]))).toMatchObject([{ report: DONE }]);
    await during(made.stop());
    expect(runs).toBe(1);
  });

  describe('whose sources are replaced', () => {
    /** Runs until it is ended, and says when it begins and ends. */
    function endless(id: string, said: string[], name = id): Source {
      return source(id, 5, async ({ signal }) => {
        said.push(`${name} begins`);
        while (!signal.aborted) await pause(2);
        await pause(20);
        said.push(`${name} ends`);
        throw new Error('cut off');
      });
    }

    it('ends one that has left in the middle of its run, without a failure, and never runs it again', async () => {
      const { made, heard } = scheduler();
      const said: string[] = [];
      const staying = source('staying', 5, () => Promise.resolve(DONE));
      made.start([endless('leaving', said), staying]);
      await passes(20);
      made.replace([staying]);
      await passes(60);
      expect(said).toEqual(['leaving begins', 'leaving ends']);
      const runs = heard.length;
      await passes(60);
      expect(heard.length).toBeGreaterThan(runs);
      expect(new Set(heard)).toEqual(new Set(['staying done']));
      await during(made.stop());
    });

    it('does not run one again that has left while it was waiting for its time', async () => {
      const { made, heard } = scheduler();
      made.start([source('a', 40, () => Promise.resolve(DONE))]);
      await passes(10);
      made.replace([]);
      await passes(80);
      expect(heard).toEqual(['a done']);
      await during(made.stop());
    });

    it('runs a new one at once, and goes on with the others', async () => {
      const { made, heard } = scheduler();
      const old = source('old', 60_000, () => Promise.resolve(DONE));
      made.start([old]);
      await passes(10);
      made.replace([old, source('new', 60_000, () => Promise.resolve(DONE))]);
      await passes(10);
      expect(heard).toEqual(['old done', 'new done']);
      await during(made.stop());
    });

    it('begins one that takes the place of another of the same id only when that one has ended, also when it is replaced in turn', async () => {
      const { made } = scheduler();
      const said: string[] = [];
      made.start([endless('a', said, 'first')]);
      await passes(10);
      made.replace([endless('a', said, 'second')]);
      made.replace([endless('a', said, 'third')]);
      await passes(60);
      await during(made.stop());
      expect(said).toEqual(['first begins', 'first ends', 'third begins', 'third ends']);
    });

    it('starts nothing that comes after it was stopped', async () => {
      const { made, heard } = scheduler();
      made.start([]);
      await during(made.stop());
      made.replace([source('late', 5, () => Promise.resolve(DONE))]);
      await passes(20);
      expect(heard).toEqual([]);
    });
  });

  describe('with an allowlist', () => {
    function aligning() {
      const store = new FakeStore();
      const state = { approved: new Allowlist([], 'none').approved() };
      const heard: string[] = [];
      const made = new Scheduler({
        writer: store,
        collection: store,
        clock: { now: () => 0 },
        approved: () => state.approved,
        onError: (_source, error) => heard.push(String(error)),
      });
      const approve = (name: string) => {
        state.approved = new Allowlist([{ fullName: name, owner: 'acme', name: 'x', forgeId: null }], name).approved();
      };
      return { store, made, approve, heard };
    }
    const seeing = (store: FakeStore, seen: number[]) => (id: string) =>
      source(id, 1, () => {
        seen.push(store.alignments.length);
        return Promise.resolve(DONE);
      });

    it('brings search into line before the first source runs, and again only when the list has changed', async () => {
      const { store, made, approve } = aligning();
      const seen: number[] = [];
      const made1 = seeing(store, seen);
      await made.runOnce([made1('a'), made1('b')]);
      approve('acme/widget');
      await made.runOnce([made1('a'), made1('b')]);
      expect([seen, store.alignments]).toEqual([
        [1, 1, 2, 2],
        [[], ['acme/x']],
      ]);
      await during(made.stop());
    });

    it('brings search into line again each minute, because a process with another list may have changed it', async () => {
      jest.useFakeTimers();
      const { store, made } = aligning();
      made.start([]);
      await passes(50_000);
      expect(store.alignments).toEqual([[]]);
      await passes(20_000);
      expect(store.alignments).toEqual([[], []]);
      await made.stop();
      await passes(120_000);
      expect(store.alignments).toEqual([[], []]);
      jest.useRealTimers();
    });

    it('does not run a source while search cannot be brought into line, and tries again at its next run', async () => {
      const { store, made, heard } = aligning();
      const seen: number[] = [];
      const indexFor = store.indexFor.bind(store);
      store.indexFor = () => Promise.reject(new Error('no database'));
      await made.runOnce([seeing(store, seen)('a')]);
      expect([seen, heard]).toEqual([[], ['Error: no database']]);
      store.indexFor = indexFor;
      await made.runOnce([seeing(store, seen)('a')]);
      expect(seen).toEqual([1]);
      await during(made.stop());
    });

    it('runs sources while the list cannot be read, and leaves search as it is', async () => {
      const store = new FakeStore();
      const seen: number[] = [];
      const approved = () => {
        throw new Error('no list');
      };
      const made = new Scheduler({ writer: store, collection: store, clock: { now: () => 0 }, approved });
      const outcomes = await made.runOnce([seeing(store, seen)('a')]);
      expect([seen, outcomes.map(({ report }) => report)]).toEqual([[0], [DONE]]);
    });

    it('follows the list also when no source is due', async () => {
      const { store, made, approve } = aligning();
      made.start([]);
      await passes(20);
      approve('acme/widget');
      await passes(2_000);
      await during(made.stop());
      expect(store.alignments).toEqual([[], ['acme/x']]);
    });
  });
});
