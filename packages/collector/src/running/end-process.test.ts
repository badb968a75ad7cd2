import { endProcess, type EndableProcess } from './end-process.js';

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
