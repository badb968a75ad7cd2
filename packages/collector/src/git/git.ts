import { devNull } from 'node:os';
import type { Environment } from '@vitrine/config';
import { GitError } from './git-error.js';
import { readGit, streamGit, type GitInput } from './git-process.js';

/** The options of {@link Git}. */
export interface GitOptions {
  /** The `.git` folder, or the bare repository. */
  readonly gitDir: string;
  /** From `readingEnvironment`. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The commit whose `.mailmap` is used for the names of people; without it, none is used. */
  readonly mailmapOf?: string | null;
}

/** Overrides settings of a repository's own configuration that would run a program or change the output. */
const SETTINGS = [
  'core.quotePath=false',
  'core.attributesFile=',
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  // Limits the memory that git uses for a large repository. It costs no time.
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

  /** The same, with the names of people from the `.mailmap` of a commit. */
  withMailmapOf(commit: string | null): Git {
    return new Git({ ...this.#options, mailmapOf: commit });
  }

  /** The same; without the `.mailmap` if it cannot be read. */
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

  stream(args: readonly string[], input?: GitInput): AsyncGenerator<Buffer, void, undefined> {
    return streamGit(this.#call(args, input));
  }

  async text(args: readonly string[]): Promise<string> {
    return (await readGit(this.#call(args))).toString('utf8');
  }

  /** The output of git without the last line break; `null` if git exits with 1, which means "no" for a query. */
  async answer(args: readonly string[]): Promise<string | null> {
    try {
      return (await this.text(args)).trimEnd();
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return null;
      throw error;
    }
  }

  #call(args: readonly string[], input?: GitInput) {
    const { gitDir, environment, timeoutMs, signal, mailmapOf = null } = this.#options;
    const mailmap = `mailmap.blob=${mailmapOf === null ? '' : `${mailmapOf}:.mailmap`}`;
    const settings = [...SETTINGS, mailmap].flatMap((setting) => ['-c', setting]);
    return {
      args: ['--no-pager', `--git-dir=${gitDir}`, ...settings, ...args],
      folder: gitDir,
      // Otherwise git would use the folder in core.worktree, and read its files.
      environment: { ...environment, GIT_WORK_TREE: gitDir },
      timeoutMs,
      signal,
      ...(input === undefined ? {} : { input }),
    };
  }
}
