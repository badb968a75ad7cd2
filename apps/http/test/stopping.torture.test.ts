import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '@vitrine/test-support';

const main = join(__dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-stopping-'));
const pipe = join(folder, 'pipe');
const children: ChildProcess[] = [];
/** A stop that waits for anybody takes ten seconds or more. */
const IN_TIME_MS = 9_000;

beforeAll(() => {
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'records'));
  execFileSync('mkfifo', [join(folder, 'records', 'pipe.ndjson')]);
  symlinkSync('nothing', join(folder, 'records', 'nothing.ndjson'));
  symlinkSync(join(__dirname, '..', '..', '..', 'examples', 'records.ndjson'), join(folder, 'records', 'records.ndjson'));
  writeFileSync(join(folder, 'vitrine.yaml'), 'store: { path: null }\napproved: [acme/widget]\nsources: [{ records: records }]\n');
});

afterAll(() => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The built server. Only the first lines of its log are read. */
async function started(preload: string | null = null): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const env = { PATH: process.env['PATH'], VITRINE_CONFIG: join(folder, 'vitrine.yaml'), PORT: '0' };
  const args = preload === null ? [main] : ['--import', pathToFileURL(preload).href, main];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let out = '';
  while (!out.includes('everything else')) out += String(await once(child.stdout ?? child, 'data'));
  // What is redirected is JSON, line by line.
  for (const line of out.trimEnd().split('\n').slice(0, 5)) expect(JSON.parse(line)).toMatchObject({ level: 30, msg: expect.any(String) });
  return { child, origin: /http:[^\s"]+/.exec(out)?.[0] ?? '' };
}

/** Sends SIGTERM. Returns how the process ended, and after what time. */
async function stopped(child: ChildProcess) {
  const startedAt = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return { code, signal, isInTime: performance.now() - startedAt < IN_TIME_MS };
}

/** Sends requests one after the other on each of several connections. Returns how many were answered. */
async function ask(origin: string, count: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const one = (): Promise<number> =>
    new Promise((resolve) => {
      http
        .get(`${origin}/readyz`, { agent }, (response) => {
          response.resume().on('end', () => resolve(1));
        })
        .on('error', () => resolve(0));
    });
  const answered = await Promise.all(Array.from({ length: count }, one));
  agent.destroy();
  return answered.reduce((sum, each) => sum + each, 0);
}

describe('a stop', () => {
  it('does not wait for the reader of the log if the log is larger than a pipe', async () => {
    const { child, origin } = await started();
    expect(await ask(origin, 700)).toBe(700);
    expect(await stopped(child)).toEqual({ code: 0, signal: null, isInTime: true });
  });

  it('stops as usual if the reader of the log has disconnected', async () => {
    const { child, origin } = await started();
    child.stderr?.destroy();
    child.stdout?.destroy();
    expect(await ask(origin, 50)).toBe(50);
    expect(await stopped(child)).toEqual({ code: 0, signal: null, isInTime: true });
  });

  it('does not wait for a hanging read of the allowlist, which the log has reported', async () => {
    const preload = join(folder, 'hangs.mjs');
    writeFileSync(preload, HANGS_AT_THE_SECOND_LOOK);
    const { child, origin } = await started(preload);
    let log = '';
    child.stderr?.on('data', (data: Buffer) => (log += data.toString()));
    await until(
      () => log.includes('"problem":"the configuration file did not answer within 3 s; check the disk'),
      () => log,
    );
    expect(await ask(origin, 10)).toBe(10);
    expect(await stopped(child)).toEqual({ code: null, signal: 'SIGTERM', isInTime: true });
  });

  it('does not wait for a hanging records file, nor for the reader of the log if the log is larger than a pipe, and imports all files that can be read', async () => {
    const { child, origin } = await started();
    let log = '';
    child.stderr?.on('data', (data: Buffer) => (log += data.toString()));
    const address = `${origin}/api/v1/repositories/acme/widget`;
    await until(() => log.includes('is a pipe'));
    expect(log).toMatch(/nothing\.ndjson is a link to a file that does not exist.*pipe\.ndjson is a pipe; put a regular file there/s);
    expect((await fetch(address)).status).toBe(200);
    child.stderr?.pause();
    expect(await ask(origin, 700)).toBe(700);
    expect(await stopped(child)).toEqual({ code: 0, signal: null, isInTime: true });
  });

  it('is heard before the server has started, also by the first process of a container', async () => {
    const preload = join(folder, 'asks.mjs');
    writeFileSync(preload, FIRST_PROCESS);
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: join(folder, 'vitrine.yaml'), PORT: '0' };
    const child = spawn(process.execPath, ['--import', pathToFileURL(preload).href, main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(out).toBe('');
  });

  it('logs when it begins and when it is complete', async () => {
    const { child } = await started();
    let log = '';
    child.stderr?.on('data', (data: Buffer) => (log += data.toString()));
    const closed = once(child, 'close');
    expect(await stopped(child)).toEqual({ code: 0, signal: null, isInTime: true });
    await closed;
    const messages = [...log.matchAll(/^\{"level":30,.*"msg":"(stopp[a-z]+)"\}$/gm)].map(([, message]) => message);
    expect(messages).toEqual(['stopping', 'stopped']);
  });
});

/** From its second opening on, the configuration behaves as on a file system that hangs: a thread of the process waits for the writer of a pipe. */
const HANGS_AT_THE_SECOND_LOOK = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { open, readFile } = fs.promises;
let looks = 0;
fs.promises.open = (path, ...rest) =>
  String(path).endsWith('vitrine.yaml') && ++looks > 1 ? readFile(${JSON.stringify(pipe)}) : open(path, ...rest);
syncBuiltinESMExports();
`;

/** Gets SIGTERM as soon as it handles that. As in the first process of a container, signals end nothing that does not handle them. */
const FIRST_PROCESS = `
const kill = process.kill.bind(process);
process.kill = () => true;
process.once('newListener', function ask(name) {
  if (name === 'SIGTERM') setImmediate(() => kill(process.pid, 'SIGTERM'));
  else process.once('newListener', ask);
});
`;
