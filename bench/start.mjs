import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as core from '../packages/core/dist/index.js';
import { aCheck, aRepositoryRecord, aService } from '../packages/core/dist/testing/index.js';
import { LevelRecordLog, openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { atMost } from './measure.mjs';
import { busyCommit, refs } from './memory-store.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'apps', 'http', 'dist', 'main.js');

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the built server, and times until each path answers as it should. The server is ended by its process id. */
async function started(config, waits) {
  const port = await freePort();
  const env = { ...process.env, MONGODB_URI: '', VITRINE_CONFIG: config, PORT: String(port), LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [main], { cwd: root, env, stdio: 'ignore' });
  const start = performance.now();
  try {
    const times = await Promise.all(waits.map(({ path, complete }) => until(`http://127.0.0.1:${String(port)}${path}`, complete, start)));
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1]) / 1024;
    return { times, residentMb };
  } finally {
    child.kill('SIGKILL');
  }
}

async function until(url, complete, start) {
  while (performance.now() - start < 60_000) {
    const body = await fetch(url)
      .then((response) => (response.ok ? response.json() : null))
      .catch(() => null);
    if (body !== null && complete(body)) return performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${url} was not complete after 60 s`);
}

export async function ownHistoryFigures() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-start-'));
  try {
    const config = join(folder, 'vitrine.yaml');
    const own = readFileSync(join(root, 'vitrine.yaml'), 'utf8').replace(/git: \.$/m, `git: ${JSON.stringify(root)}`);
    await writeFile(config, own);
    const listed = { path: '/api/v1/development/commits?limit=1', complete: ({ data }) => data.length === 1 };
    const first = await started(config, [listed]);
    const again = await started(config, [listed]);
    return [
      atMost('start to first answer on the own history, collected meanwhile', first.times[0], 'ms', 1_500),
      atMost('the same on a store that holds it', again.times[0], 'ms', 1_500),
      atMost('resident memory then', Math.max(first.residentMb, again.residentMb), 'MiB', 150),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function largeStoreFigures() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-large-'));
  try {
    await fill(join(folder, 'store'));
    const config = join(folder, 'vitrine.yaml');
    await writeFile(config, `store:\n  path: ${JSON.stringify(join(folder, 'store'))}\napproved:\n${refs.map((ref) => `  - ${ref}\n`).join('')}`);
    const { times, residentMb } = await started(config, [
      { path: '/api/v1/development/commits?limit=100', complete: ({ data }) => data.length === 100 },
      {
        path: '/api/v1/status',
        complete: ({ data }) => data.services.length === 50 && data.services.every(({ checksTracked }) => checksTracked > 0),
      },
      { path: '/api/v1/search?q=fix%20ca', complete: () => true },
    ]);
    const [lists, status, search] = times;
    return [
      atMost('start with 100,000 commits and 1,000,000 checks: lists and status complete', Math.max(lists, status) / 1_000, 's', 4),
      atMost('the same: search answers', search / 1_000, 's', 8),
      atMost('the same: resident memory', residentMb, 'MiB', 600),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(path) {
  const clock = { now: () => Date.now() };
  const context = { signal: new AbortController().signal };
  const store = await openMemoryStore({ clock, log: await LevelRecordLog.open(path) });
  const put = (records) => store.writer.put(records, context);
  await put(refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })));
  for (let start = 0; start < 100_000; start += 1_000) await put(Array.from({ length: 1_000 }, (_, index) => busyCommit(start + index)));
  const now = Date.now();
  for (let service = 0; service < 50; service++) {
    const serviceKey = `team:service-${String(service)}`;
    await put([aService({ key: serviceKey })]);
    const check = (index) =>
      aCheck({ serviceKey, checkedAt: Math.round(now - (index * 90 * core.DAY) / 20_000), responseTimeMs: 80 + ((index * 37) % 400) });
    await put(Array.from({ length: 20_000 }, (_, index) => check(index)));
  }
  await store.close();
}
