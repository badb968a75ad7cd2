import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from './measure.js';
import { root, spawnVitrine } from './vitrine-process.js';
import { mustBe } from './wrong-answer.js';

const LONGEST_MS = 60_000;
/** Until the first runs of all sources have ended. */
const SETTLED_MS = 5_000;
const IDLE_MS = 30_000;

/**
 * Starts the built server, and measures the milliseconds until the list begins with this commit, the memory of the server and its collector then, and the share of a
 * processor that both use afterwards. Then ends the server.
 *
 * @param idleMs how long nothing is requested at the end
 */
async function started(config: string, newest: string | undefined, idleMs = 0) {
  const { url, memoryBytes, cpuSeconds, stop } = await spawnVitrine({ config });
  try {
    const ms = await until(`${url}/api/v1/development/commits?limit=1`, newest);
    const memoryMb = memoryBytes() / 2 ** 20;
    await sleep(idleMs === 0 ? 0 : SETTLED_MS);
    const [before, from] = [cpuSeconds(), performance.now()];
    await sleep(idleMs);
    return { ms, memoryMb, idleShare: (100_000 * (cpuSeconds() - before)) / (performance.now() - from) };
  } finally {
    stop();
  }
}

async function until(list: string, newest: string | undefined): Promise<number> {
  const start = performance.now();
  let first: string | undefined;
  while (performance.now() - start < LONGEST_MS) {
    const response = await fetch(list).catch(() => null);
    if (response?.ok === true) first = ((await response.json()) as { readonly data: readonly { readonly sha: string }[] }).data[0]?.sha;
    if (first === newest) return performance.now() - start;
    await sleep(10);
  }
  mustBe(`the newest commit ${String(LONGEST_MS / 1_000)} s after the start`, first, newest);
  return Number.NaN;
}

export async function startFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-start-'));
  try {
    const config = join(folder, 'vitrine.yaml');
    const own = readFileSync(join(root, 'vitrine.yaml'), 'utf8').replace(/git: \.$/mu, `git: ${JSON.stringify(root)}`);
    await writeFile(config, own);
    const first = await started(config, newestCommit());
    const again = await started(config, newestCommit(), IDLE_MS);
    return [
      atMost('start to the newest commit of the own history, collected meanwhile', first.ms, 'ms', 1_500),
      atMost('the same on a store that holds it', again.ms, 'ms', 1_500),
      atMost('memory of the server and its collector then (sum of PSS)', Math.max(first.memoryMb, again.memoryMb), 'MiB', 220),
      atMost('processor time of both while nothing is requested', again.idleShare, '% of one processor', 1),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The newest commit of this repository: in a clone, of the branches of its remote; otherwise of all branches. */
function newestCommit(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).trim();
  const lines = git('log', git('remote') === '' ? '--branches' : '--remotes', '--format=%ct %H').split('\n');
  const commits = lines.map((line) => line.split(' ')).map(([time, sha = '']) => ({ time: Number(time), sha }));
  return commits.toSorted((a, b) => b.time - a.time || (a.sha < b.sha ? -1 : 1))[0]?.sha;
}
