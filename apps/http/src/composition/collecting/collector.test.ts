import { MINUTE, SECOND } from '@vitrine/core';
import { pino } from 'pino';
import { Collector, type CollectorProcess, type Assignment, type FromCollector, type ToCollector } from './collector.js';

const ASSIGNMENT = { origin: 'http://127.0.0.1:3000', collects: true } as Assignment;

/** A process that the test ends. */
class FakeProcess implements CollectorProcess {
  readonly told: ToCollector[] = [];
  readonly ended: Promise<string>;
  isKilled = false;
  end: (reason: string) => void = () => undefined;

  constructor(readonly say: (message: FromCollector) => void) {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  tell(message: ToCollector): void {
    this.told.push(message);
  }

  kill(): void {
    this.isKilled = true;
    this.end('SIGKILL');
  }
}

function started(assignment: () => Promise<Assignment> = () => Promise.resolve(ASSIGNMENT)) {
  const processes: FakeProcess[] = [];
  const [logged, printed]: [string[], string[]] = [[], []];
  const logs = { write: (line: string) => void logged.push(line) };
  const collector = new Collector({
    launch: (hear) => {
      const process = new FakeProcess(hear);
      processes.push(process);
      return process;
    },
    assignment,
    logger: pino({ base: null }, logs),
    logs,
    print: (line) => void printed.push(line),
  });
  const current = (): FakeProcess => {
    const process = processes.at(-1);
    if (process === undefined) throw new Error('no process was started');
    return process;
  };
  return { collector, processes, logged, printed, current };
}

describe('the collector of a server', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  it('is told its assignment, runs when it says so, and its lines reach the log and the terminal', async () => {
    const { collector, current, logged, printed } = started();
    await after(0);
    expect([current().told, collector.state]).toEqual([[{ assignment: ASSIGNMENT }], 'starting']);
    current().say({ hasBegun: true });
    current().say({ log: '{"a":1}\n{"a":2}\n' });
    current().say({ line: 'records: 3 stored' });
    expect([collector.state, collector.isWritable, logged, printed]).toEqual(['running', true, ['{"a":1}\n', '{"a":2}\n'], ['records: 3 stored']]);
    current().say({ isWritable: false });
    expect(collector.isWritable).toBe(false);
  });

  it('starts the next process when one dies, after pauses that double up to a minute, and logs each death once', async () => {
    const { collector, processes, current, logged } = started();
    const pauses: number[] = [];
    for (let deaths = 1; deaths <= 9; deaths++) {
      current().say({ hasBegun: true });
      current().end('SIGKILL');
      await after(0);
      expect([collector.state, logged.length]).toEqual(['restarting', deaths]);
      const { reason, pauseMs } = JSON.parse(logged.at(-1) ?? '') as { readonly reason: string; readonly pauseMs: number };
      expect(reason).toBe('SIGKILL');
      pauses.push(pauseMs / SECOND);
      await after(pauseMs - 1);
      expect(processes).toHaveLength(deaths);
      await after(1);
      expect(processes).toHaveLength(deaths + 1);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(collector.state).toBe('restarting');
    current().say({ hasBegun: true });
    expect(collector.state).toBe('running');
  });

  it('pauses shortly again after a process that ran for more than a minute, and forgets that its disk was full', async () => {
    const { collector, current, processes, logged } = started();
    current().end('exit code 1');
    await after(SECOND);
    current().say({ isWritable: false });
    await after(MINUTE + 1);
    current().end('SIGKILL');
    await after(SECOND);
    expect(processes).toHaveLength(3);
    expect(logged.map((line) => (JSON.parse(line) as { pauseMs: number }).pauseMs)).toEqual([SECOND, SECOND]);
    expect(collector.isWritable).toBe(true);
  });

  it('tries again later if it cannot be told what to collect', async () => {
    let isReadable = false;
    const { processes, current, logged } = started(() => (isReadable ? Promise.resolve(ASSIGNMENT) : Promise.reject(new Error('no allowlist'))));
    await after(0);
    expect([current().isKilled, logged[0]]).toEqual([true, expect.stringContaining('no allowlist')]);
    isReadable = true;
    await after(SECOND);
    expect(processes).toHaveLength(2);
    expect(current().told).toEqual([{ assignment: ASSIGNMENT }]);
  });

  it('stops when its process has ended, and starts no other one', async () => {
    const { collector, current, processes, logged } = started();
    await after(0);
    const stopped = collector.stop();
    expect(current().told.at(-1)).toEqual({ stop: true });
    current().end('exit code 0');
    await stopped;
    await after(MINUTE);
    expect([processes.length, logged]).toEqual([1, []]);
  });

  it('kills a process that does not stop in 12 seconds', async () => {
    const { collector, current } = started();
    await after(0);
    const stopped = collector.stop();
    await after(12 * SECOND - 1);
    expect(current().isKilled).toBe(false);
    await after(1);
    await stopped;
    expect(current().isKilled).toBe(true);
  });

  it('stops during a pause and before the server listens', async () => {
    const dying = started();
    dying.current().end('SIGKILL');
    await after(500);
    await dying.collector.stop();
    await after(MINUTE);
    expect(dying.processes).toHaveLength(1);
    const early = started(() => new Promise(() => undefined));
    const stopped = early.collector.stop();
    early.current().end('exit code 0');
    await stopped;
    expect(early.current().told).toEqual([{ stop: true }]);
  });
});
