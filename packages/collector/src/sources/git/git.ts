import { devNull } from 'node:os';
import type { GitProcessOptions } from './git-environment.js';
import { GitError, readGit, streamGit, type GitInput } from './git-process.js';
import { MAX_TOKEN_BYTES, TokenSplitter } from './token-splitter.js';

/** A token as text. If it was cut, its last word is removed too, because it could be half of an e-mail address. */
export function textOf(token: Buffer): string {
  const text = token.toString('utf8');
  if (token.length < MAX_TOKEN_BYTES) return text;
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? text : text.slice(0, end);
}

const LINE_BREAK = 0x0a;

interface GitOptions extends GitProcessOptions {
  readonly gitDir: string;
  /** The `.mailmap` that is used for the names of people, as an id or as a commit with its path; without it, none is used. */
  readonly mailmap?: string | null;
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
  // Larger files count as binary. To compare one of 64 MB line by line can take 4 GB.
  'core.bigFileThreshold=16m',
  'color.ui=false',
  'mailmap.file=',
  'log.showSignature=false',
];

export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  withMailmap(mailmap: string | null): Git {
    return new Git({ ...this.#options, mailmap });
  }

  /** The id of its `.mailmap`; `null` if there is none, or if it cannot be read. */
  async mailmapId(): Promise<string | null> {
    const { mailmap = null } = (await this.withReadableMailmap()).#options;
    return mailmap === null ? null : this.answer(['rev-parse', mailmap]);
  }

  /** The same; without the `.mailmap` if it cannot be read. */
  async withReadableMailmap(): Promise<Git> {
    const { mailmap = null } = this.#options;
    if (mailmap === null) return this;
    try {
      // A file of any size can have this name.
      for await (const piece of this.stream(['cat-file', 'blob', mailmap])) piece.fill(0);
      return this;
    } catch (error) {
      if (error instanceof GitError && error.exitCode !== null) return this.withMailmap(null);
      throw error;
    }
  }

  stream(args: readonly string[], input?: GitInput): AsyncGenerator<Buffer, void, undefined> {
    return streamGit(this.#call(args, input));
  }

  /** What git prints, split at NULs: the tokens that have arrived together. */
  async *tokens(args: readonly string[], input?: GitInput): AsyncGenerator<readonly Buffer[], void, undefined> {
    const splitter = new TokenSplitter();
    for await (const piece of this.stream(args, input)) yield splitter.push(piece);
  }

  async *lines(args: readonly string[], input?: GitInput): AsyncGenerator<readonly string[], void, undefined> {
    const splitter = new TokenSplitter(LINE_BREAK);
    for await (const piece of this.stream(args, input)) yield splitter.push(piece).map((line) => line.toString('latin1'));
  }

  async allLines(args: readonly string[], input: GitInput): Promise<readonly string[]> {
    const all: string[] = [];
    for await (const lines of this.lines(args, input)) all.push(...lines);
    return all;
  }

  /** The whole output. Rejects with a {@link GitError} if git cannot read what is asked for. */
  bytes(args: readonly string[]): Promise<Buffer> {
    return readGit(this.#call(args));
  }

  async text(args: readonly string[]): Promise<string> {
    return (await this.bytes(args)).toString('utf8');
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
    const { gitDir, environment, timeoutMs, signal, mailmap } = this.#options;
    const settings = [...SETTINGS, `mailmap.blob=${mailmap ?? ''}`].flatMap((setting) => ['-c', setting]);
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
