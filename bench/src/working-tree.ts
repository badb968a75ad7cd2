import { spawnSync } from 'node:child_process';

/** The state of a git working tree. */
export class WorkingTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The full sha of HEAD. */
  head(): string {
    const { status, stdout, stderr } = this.#git('rev-parse', 'HEAD');
    if (status !== 0) throw new Error(`git cannot tell which commit is checked out: ${stderr.trim()}`);
    return stdout.trim();
  }

  /** The files that are changed or untracked, except the given ones. */
  changes(...exceptions: readonly string[]): readonly string[] {
    const { status, stdout, stderr } = this.#git('status', '--porcelain', '--', ':/', ...exceptions.map((path) => `:(top,exclude)${path}`));
    if (status !== 0) throw new Error(`git cannot tell what has changed: ${stderr.trim()}`);
    return stdout.split('\n').filter((line) => line !== '');
  }

  #git(...args: readonly string[]) {
    return spawnSync('git', ['-C', this.#root, ...args], { encoding: 'utf8' });
  }
}
