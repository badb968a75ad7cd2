import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { generateGitRepository } from '../git-repository.js';
import type { GitRun } from '../git-run.js';
import { atMost, mustBe, withFolder, type Figure } from '../measure.js';
import { startModule } from '../processes.js';

const COMMITS = 22_000;
const ROUNDS = 3;

/** The whole run of a git source against a plain `git log` that prints the same data, each the best of three runs; its peak memory; a run without changes. */
export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git');
    await generateGitRepository(repository, COMMITS);
    const logMs: number[] = [];
    const runs: GitRun[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      logMs.push(await plainLog(repository));
      const { message: run } = await startModule<GitRun>('git-run.js', [repository]);
      checkRun(run, repository);
      runs.push(run);
    }
    const ratio = Math.min(...runs.map(({ firstMs }) => firstMs)) / Math.min(...logMs);
    return [
      atMost(`git source, ${COMMITS.toLocaleString('en')} commits: wall time against the plain git log`, ratio, 'times', 1.3),
      atMost('the same: peak memory', Math.max(...runs.map(({ nodeMb }) => nodeMb)), 'MB', 350),
      atMost('git source, nothing new', Math.max(...runs.map(({ againMs }) => againMs)) / 1_000, 's', 0.3),
    ];
  });
}

function checkRun({ shas, releases, storedAgain }: GitRun, repository: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  const lines = (text: string) => text.trimEnd().split('\n').toSorted();
  mustBe('commits of the git source', shas.toSorted(), lines(git('rev-list', '--all')));
  mustBe('number of releases of the git source', releases, lines(git('tag', '--list')).length);
  mustBe('records of a run with nothing new', storedAgain, 0);
}

async function plainLog(repository: string): Promise<number> {
  const format = '--format=%H%x00%aN%x00%ct%x00%B';
  const args = ['-C', repository, 'log', '--all', '--numstat', '-M', '--diff-merges=first-parent', '-z', format];
  const startedAt = performance.now();
  const [code] = (await once(spawn('git', args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'close')) as [number];
  if (code !== 0) throw new Error(`git log ended with ${String(code)}`);
  return performance.now() - startedAt;
}
