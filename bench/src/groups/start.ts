import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, mustBe, withFolder, type Figure } from '../measure.js';
import { root, serveVitrine } from '../processes.js';
import { COMMITS_PATH, type CommitList } from '../wire.js';

const LONGEST_MS = 60_000;
/** Until the first runs of all sources have ended, and Node has collected what they and the start left behind. */
const SETTLED_MS = 60_000;
const IDLE_MS = 30_000;

export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => {
    const config = join(folder, 'vitrine.yaml');
    await writeFile(config, readFileSync(join(root, 'vitrine.yaml'), 'utf8').replace(/git: \.$/mu, `git: ${JSON.stringify(root)}`));
    const first = await started(config, newestCommit());
    const again = await started(config, newestCommit(), IDLE_MS);
    return [
      atMost('start to the first answer, in an empty folder', first.answerMs, 'ms', 1_500),
      atMost('the same: to the newest commit of the own history, collected meanwhile', first.ms, 'ms', 1_500),
      atMost('the same on a store that holds it', again.ms, 'ms', 1_500),
      atMost('memory of the server and its collector then (sum of PSS)', Math.max(first.megabytes, again.megabytes), 'MiB', 220),
      atMost('processor time of both while nothing is requested', again.idleShare, '% of one processor', 1),
    ];
  });
}

/** Milliseconds until the built server answers and lists this commit, the memory of its processes then, and their share of a processor while nothing is requested. */
async function started(config: string, newest: string | undefined, idleMs = 0) {
  const { url, process: server } = await serveVitrine({ config, waits: false });
  const { answerMs, ms } = await msUntil(`${url}${COMMITS_PATH}?limit=1`, newest);
  const megabytes = server.memoryBytes() / 2 ** 20;
  await sleep(idleMs === 0 ? 0 : SETTLED_MS);
  const [before, from] = [server.cpuSeconds(), performance.now()];
  await sleep(idleMs);
  const idleShare = (100_000 * (server.cpuSeconds() - before)) / (performance.now() - from);
  server.stop();
  return { answerMs, ms, megabytes, idleShare };
}

async function msUntil(list: string, newest: string | undefined) {
  const start = performance.now();
  let [first, answerMs]: [string | undefined, number] = [undefined, Number.NaN];
  while (performance.now() - start < LONGEST_MS) {
    const response = await fetch(list).catch(() => null);
    const ms = performance.now() - start;
    if (response?.ok === true) {
      if (Number.isNaN(answerMs)) answerMs = ms;
      first = ((await response.json()) as CommitList).data[0]?.sha;
      if (first === newest) return { answerMs, ms };
    }
    await sleep(10);
  }
  mustBe(`the newest commit ${String(LONGEST_MS / 1_000)} s after the start`, first, newest);
  return { answerMs, ms: Number.NaN };
}

/** The newest commit of this repository: in a clone, of the branches of its remote; otherwise of all branches. */
function newestCommit(): string | undefined {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).trim();
  const lines = git('log', git('remote') === '' ? '--branches' : '--remotes', '--format=%ct %H').split('\n');
  const commits = lines.map((line) => line.split(' ')).map(([time, sha = '']) => ({ time: Number(time), sha }));
  return commits.toSorted((a, b) => b.time - a.time || (a.sha < b.sha ? -1 : 1))[0]?.sha;
}
