import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_REPOSITORY } from '@vitrine/core';
import { askToRun, RunRequests } from './run-requests.js';
import type { RunOutcome } from './scheduler.js';
import type { Source } from './source.js';

const WARNED = { stored: 2, unchanged: 0, removed: 0, warnings: ['one line is invalid'], notices: ['a repository is new'] };

function sourceOf(type: 'git' | 'records', name: string): Source {
  const registration = { id: `${type}:${name}`, sourceType: type, label: name, repositoryRef: NO_REPOSITORY, feeds: [] } as const;
  return { id: `${type} ${name}`, intervalMs: 1, registration, run: () => Promise.reject(new Error('only the scheduler runs it')) };
}

describe('requests to run sources', () => {
  let folder: string;
  let path: string;
  const open: { close: () => unknown }[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-requests-'));
    path = join(folder, 'collect.sock');
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    rmSync(folder, { recursive: true });
  });

  const [git, records] = [sourceOf('git', 'acme/widget'), sourceOf('records', 'records')];

  /** A process that collects two sources. */
  async function collecting(runNow: (source: Source) => Promise<RunOutcome | null>, dataFolder: string | null = null) {
    const problems: unknown[] = [];
    const before = statSync(path, { throwIfNoEntry: false })?.ino;
    const requests = new RunRequests({
      path,
      dataFolder,
      scheduler: { repeated: () => [git, records], runNow },
      onProblem: (error) => problems.push(error),
    });
    open.push(requests);
    while (problems.length === 0 && (!isSocket() || statSync(path).ino === before)) await new Promise((resolve) => setTimeout(resolve, 5));
    return { requests, problems };
  }

  /** The mode is narrowed right after the socket is there. */
  function isSocket(): boolean {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.isSocket() && (found.mode & 0o777) === 0o600;
  }

  async function asked(names: readonly string[], signal = new AbortController().signal, patienceMs = 60_000) {
    const lines: string[] = [];
    const isFine = await askToRun(path, names, { signal, patienceMs, onLine: (line, isProblem) => lines.push(isProblem ? `! ${line}` : line) });
    return { isFine, lines };
  }

  it('are answered with the lines of each run, by either name of a source', async () => {
    const ran: string[] = [];
    await collecting((source) => {
      ran.push(source.id);
      return Promise.resolve({ source, report: source === git ? { ...WARNED, warnings: [] } : WARNED });
    });
    expect(await asked(['git acme/widget'])).toEqual({
      isFine: true,
      lines: ['git acme/widget: a repository is new', 'git acme/widget: 2 stored, 0 unchanged, 0 removed'],
    });
    expect(await asked(['records:records', 'git:acme/widget'])).toMatchObject({
      isFine: false,
      lines: expect.arrayContaining(['! one line is invalid']),
    });
    expect(ran).toEqual(['git acme/widget', 'git acme/widget', 'records records']);
  });

  it('are answered with the reason of a failure, without secrets', async () => {
    await collecting((source) => Promise.resolve({ source, report: null, error: new Error('no answer from https://ada:secret@example.com/') }));
    const { isFine, lines } = await asked(['git acme/widget']);
    expect([isFine, lines]).toEqual([false, [expect.stringMatching(/^! git acme\/widget: no answer from https:\/\/(?!.*secret)/)]]);
  });

  it('say that a source has left the configuration meanwhile', async () => {
    await collecting(() => Promise.resolve(null));
    expect((await asked(['git acme/widget'])).lines).toEqual(['! git acme/widget: the source has left the configuration']);
  });

  it('are refused whole if a name is unknown', async () => {
    const ran: string[] = [];
    await collecting((source) => {
      ran.push(source.id);
      return Promise.resolve(null);
    });
    await expect(asked(['git acme/widget', 'git acme/gadget'])).rejects.toMatchObject({
      reason: 'unknown',
      message: expect.stringContaining('"git acme/gadget"'),
    });
    expect(ran).toEqual([]);
  });

  it('find nobody without a socket, with that of a killed process, and after the end', async () => {
    expect((await asked(['git acme/widget'])).isFine).toBeNull();
    writeFileSync(path, '');
    expect((await asked(['git acme/widget'])).isFine).toBeNull();
    const { requests } = await collecting(() => Promise.resolve(null));
    await requests.close();
    open.pop();
    expect((await asked(['git acme/widget'])).isFine).toBeNull();
  });

  it('reach the process that collects now, also if the one before ends after it', async () => {
    const { requests } = await collecting(() => Promise.resolve(null));
    await collecting((source) => Promise.resolve({ source, report: WARNED }));
    await requests.close();
    open.shift();
    expect((await asked(['git acme/widget'])).lines).toContain('git acme/widget: 2 stored, 0 unchanged, 0 removed');
  });

  it('fail if the process ends during the run', async () => {
    const { requests } = await collecting(async () => {
      void requests.close();
      return new Promise(() => undefined);
    });
    await expect(asked(['git acme/widget'])).rejects.toMatchObject({ reason: 'unanswered' });
    open.pop();
  });

  it('fail if the process takes no notice, and end when the command is stopped', async () => {
    const sockets: { destroy: () => unknown }[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(path);
    open.push({ close: () => silent.close() }, { close: () => sockets.forEach((socket) => socket.destroy()) });
    await new Promise((resolve) => silent.once('listening', resolve));
    await expect(asked(['git acme/widget'], undefined, 1)).rejects.toMatchObject({ reason: 'unanswered' });
    const stopping = new AbortController();
    const running = asked(['git acme/widget'], stopping.signal);
    stopping.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('survive what is no request', async () => {
    const { connect } = await import('node:net');
    await collecting((source) => Promise.resolve({ source, report: { ...WARNED, warnings: [] } }));
    for (const text of ['nonsense\n', '{"names":[]}\n', '{"names":"git"}\n', '']) {
      const socket = connect(path).on('error', () => undefined);
      socket.end(text);
      await new Promise((resolve) => socket.resume().once('close', resolve));
    }
    expect((await asked(['git acme/widget'])).isFine).toBe(true);
  });

  it('make their folder, and tell one that cannot be used', async () => {
    path = join(folder, 'missing', 'collect.sock');
    expect((await collecting(() => Promise.resolve(null))).problems).toEqual([]);
    rmSync(join(folder, 'missing'), { recursive: true });
    symlinkSync('nowhere', join(folder, 'missing'));
    expect((await collecting(() => Promise.resolve(null))).problems).toMatchObject([{ code: expect.stringMatching(/^E/) }]);
  });

  it('do not create the data folder, which somebody has moved', async () => {
    path = join(folder, 'data', 'collect.sock');
    expect((await collecting(() => Promise.resolve(null), join(folder, 'data'))).problems).toMatchObject([{ code: 'ENOENT' }]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
