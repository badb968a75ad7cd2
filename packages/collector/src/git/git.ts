import { devNull } from 'node:os';
import type { Environment } from '@vitrine/config';
import { GitError } from './git-error.js';
import { readGit, streamGit } from './git-process.js';

/** Git reading one repository on this machine. Nothing is written there. */
export interface GitOptions {
  /** The repository's own folder: `.git`, or the bare repository. */
  readonly gitDir: string;
  /** From `readingEnvironment`. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The commit whose `.mailmap` gives the names of people; none without it. */
  readonly mailmapOf?: string | null;
}

/** Settings that a repository's own configuration could change and that would run something or change what is read. */
const SETTINGS = [
  'core.quotePath=false',
  'core.attributesFile=',
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  // Bounds the memory that git takes for a large repository, at no cost in time.
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=64m',
  'color.ui=false',
  'mailmap.file=',
  'log.showSignature=false',
];

export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** The same with the names of people that the `.mailmap` of a commit gives. */
  withMailmapOf(commit: string | null): Git {
    return new Git({ ...this.#options, mailmapOf: commit });
  }

  /** The same without the `.mailmap` if its content is not there. */
  async withReadableMailmap(): Promise<Git> {
    const { mailmapOf = null } = this.#options;
    if (mailmapOf === null) return this;
    try {
      await this.text(['cat-file', 'blob', `${mailmapOf}:.mailmap`]);
      return this;
    } catch (error) {
      if (error instanceof GitError && error.exitCode !== null) return this.withMailmapOf(null);
      throw error;
    }
  }

  stream(args: readonly string[], input?: Iterable<string>): AsyncGenerator<Buffer, void, undefined> {
    return streamGit(this.#call(args, input));
  }

  async text(args: readonly string[]): Promise<string> {
    return (await readGit(this.#call(args))).toString('utf8');
  }

  /** What git prints, without the last line break; `null` when it ends with 1, which for a question means no. */
  async answer(args: readonly string[]): Promise<string | null> {
    try {
      return (await this.text(args)).trimEnd();
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return null;
      throw error;
    }
  }

  #call(args: readonly string[], input?: Iterable<string>) {
    const { gitDir, environment, timeoutMs, signal, mailmapOf = null } = this.#options;
    const mailmap = `mailmap.blob=${mailmapOf === null ? '' : `${mailmapOf}:.mailmap`}`;
    const settings = [...SETTINGS, mailmap].flatMap((setting) => ['-c', setting]);
    return {
      args: ['--no-pager', `--git-dir=${gitDir}`, ...settings, ...args],
      folder: gitDir,
      // Else git would go to the folder that core.worktree names, and read what lies there.
      environment: { ...environment, GIT_WORK_TREE: gitDir },
      timeoutMs,
      signal,
      ...(input === undefined ? {} : { input }),
    };
  }
}
