import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { generateGitRepository } from './generate-git-repository.mjs';

const COMMITS = 22_000;
const ROUNDS = 3;
const COLLECTOR = new URL('../packages/collector/dist/index.js', import.meta.url).href;

/**
 * The whole run of a git source beside the plain `git log` that prints the same data, each the best of three; the peak memory of the run's
 * own process and of its git; and a run with nothing new.
 */
export async function measureGitSource() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-git-'));
  try {
    const repository = join(folder, 'repository.git');
    await generateGitRepository(repository, COMMITS);
    const logMs = [];
    const runs = [];
    for (let round = 0; round < ROUNDS; round++) {
      logMs.push(await plainLog(repository));
      runs.push(await sourceRun(repository));
    }
    const best = runs.toSorted((a, b) => a.firstMs - b.firstMs)[0];
    const log = Math.min(...logMs);
    return {
      commits: best.stored,
      plainLogMs: Math.round(log),
      firstRunMs: Math.round(best.firstMs),
      ratio: Number((best.firstMs / log).toFixed(2)),
      nothingNewMs: Math.round(Math.max(...runs.map(({ againMs }) => againMs))),
      peakNodeMb: Math.max(...runs.map(({ nodeMb }) => nodeMb)),
      peakWithGitMb: Math.max(...runs.map(({ withGitMb }) => withGitMb)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function plainLog(repository) {
  const format = '--format=%H%x00%aN%x00%ct%x00%B';
  const args = ['-C', repository, 'log', '--all', '--numstat', '-M', '--diff-merges=first-parent', '-z', format];
  const startedAt = performance.now();
  const [code] = await once(spawn('git', args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close');
  if (code !== 0) throw new Error(`git log ended with ${code}`);
  return performance.now() - startedAt;
}

/** In a process of its own, so that its memory is its own. */
async function sourceRun(repository) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'run', repository], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  let withGitMb = 0;
  child.stdout.on('data', (data) => (printed += data));
  const watch = setInterval(() => (withGitMb = Math.max(withGitMb, residentMb(child.pid))), 25);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  return { ...JSON.parse(printed), withGitMb };
}

/** Resident memory of a process and its children; 0 where the platform does not tell. */
function residentMb(pid) {
  const children = `/proc/${pid}/task/${pid}/children`;
  const pids = existsSync(children) ? [pid, ...readFileSync(children, 'latin1').trim().split(' ').filter(Boolean)] : [];
  return Math.round(pids.reduce((sum, one) => sum + residentKb(one), 0) / 1024);
}

function residentKb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The whole run into a store that only remembers what the next run asks for. */
async function run(repository) {
  const { GitSource } = await import(COLLECTOR);
  const branches = new Map();
  const releases = new Set();
  let sync = null;
  const take = (record) => {
    if (record.kind === 'commit') branches.set(record.sha, record.branch);
    else if (record.kind === 'release') releases.add(record.id);
    else if (record.kind === 'sync') sync = record;
  };
  const writer = {
    put: async (records) => (records.forEach(take), { stored: records.length, unchanged: 0, refused: [] }),
    remove: async () => 0,
    moveCommits: async () => 0,
  };
  const collection = { commitBranches: async () => branches, releaseIds: async () => releases, sync: async () => sync };
  const source = new GitSource({
    location: repository,
    ref: 'acme/widget',
    name: { fullName: 'acme/widget', owner: 'acme', name: 'widget' },
    url: 'https://example.org/acme/widget',
    label: 'git',
    intervalMs: 60_000,
    cacheFolder: join(repository, '..', 'clones'),
    environment: { PATH: process.env.PATH, HOME: devNull },
  });
  const context = { writer, collection, clock: { now: () => Date.now() }, signal: new AbortController().signal, progress: () => undefined };
  const startedAt = performance.now();
  await source.run(context);
  const firstMs = performance.now() - startedAt;
  const againAt = performance.now();
  await source.run(context);
  const againMs = performance.now() - againAt;
  process.stdout.write(JSON.stringify({ firstMs, againMs, stored: branches.size, nodeMb: Math.round(process.resourceUsage().maxRSS / 1024) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'run') await run(process.argv[3]);
  else process.stdout.write(`${JSON.stringify(await measureGitSource(), null, 2)}\n`);
}
