import { spawnSync } from 'node:child_process';

/** Tests are no part of what is measured. */
const NO_TESTS = ':(exclude,glob)**/*.test.ts';

/** What git says about a working tree. */
export class WorkingTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The commit that is checked out, all 40 digits. */
  head(): string {
    const { status, stdout, stderr } = this.#git('rev-parse', 'HEAD');
    if (status !== 0) throw new Error(`git cannot tell which commit is checked out: ${stderr.trim()}`);
    return stdout.trim();
  }

  /** The files that differ from what is checked out, or that git does not know; without those that are named. */
  changes(...exceptions: readonly string[]): readonly string[] {
    const { status, stdout, stderr } = this.#git('status', '--porcelain', '--', ':/', ...exceptions.map((path) => `:(top,exclude)${path}`));
    if (status !== 0) throw new Error(`git cannot tell what has changed: ${stderr.trim()}`);
    return stdout.split('\n').filter((line) => line !== '');
  }

  /** Whether any file below the paths differs from a commit. A commit that git does not know counts as different. */
  differsFrom(commit: string, paths: readonly string[]): boolean {
    return this.#git('diff', '--quiet', commit, '--', ...paths, NO_TESTS).status !== 0;
  }

  #git(...args: readonly string[]) {
    return spawnSync('git', ['-C', this.#root, ...args], { encoding: 'utf8' });
  }
}
