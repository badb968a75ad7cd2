import { endProcess, stopOnSignals, type EndableProcess } from './end-process.js';

/** A fake process in which a file operation hangs for some checks. */
function processOf(looks: number) {
  const done: string[] = [];
  const process: EndableProcess = {
    pid: 7,
    getActiveResourcesInfo: () => (looks-- > 0 ? ['Timeout', 'FSReqPromise'] : ['Timeout', 'PipeWrap']),
    removeAllListeners: (event) => done.push(`no listener of ${event}`),
    kill: (pid, signal) => done.push(`${signal} to ${String(pid)}`),
    exit: (code) => done.push(`exit ${String(code)}`) as never,
  };
  return { process, done };
}

describe('the end of a process', () => {
  it.each([0, 2])('is an exit with the code %i, also if the last file operations take a moment', async (code) => {
    for (const looks of [0, 5]) {
      const { process, done } = processOf(looks);
      await endProcess(process, code);
      expect(done[0]).toBe(`exit ${String(code)}`);
    }
  });

  it.each([
    [0, 'SIGTERM'],
    [2, 'SIGKILL'],
  ])('with the code %i is %s if a file operation hangs', async (code, signal) => {
    const { process, done } = processOf(Infinity);
    await endProcess(process, code);
    expect(done).toEqual(['no listener of SIGTERM', `${signal} to 7`]);
  });
});

describe('a signal to stop', () => {
  it.each([
    ['that comes at once again, because npm has passed it on, is one signal', 20, ['stop']],
    ['that somebody sends again ends the process at once', 1_000, ['stop', 'exit 1']],
  ])('%s', (_title, laterMs, expected) => {
    const { process, done } = processOf(0);
    const listeners: (() => void)[] = [];
    let time = 5;
    stopOnSignals(
      { ...process, on: (_signal, hear) => listeners.push(hear) },
      () => done.push('stop'),
      () => time,
    );
    listeners[0]?.();
    time += laterMs;
    listeners[1]?.();
    // A real process does nothing after its exit.
    expect(done.slice(0, 2)).toEqual(expected);
  });
});
