import { devNull } from 'node:os';
import type { Environment } from '@vitrine/config';
import { GitError } from './git-error.js';
import { readGit, streamGit, type GitInput } from './git-process.js';
import { PassThrough } from 'node:stream';

/** A longer token is cut. No stored field is nearly as long. */
export const MAX_TOKEN_BYTES = 1_048_576;

const LINE_BREAK = 0x0a;

/** Splits a stream of bytes at NULs, or at another byte. It holds at most one unfinished token in memory. */
export class TokenSplitter {
  readonly #end: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(end = 0) {
    this.#end = end;
  }

  push(piece: Buffer): readonly Buffer[] {
    const tokens: Buffer[] = [];
    let start = 0;
    for (let end = piece.indexOf(this.#end); end >= 0; end = piece.indexOf(this.#end, start)) {
      const part = piece.subarray(start, end);
      tokens.push(this.#length === 0 && part.length <= MAX_TOKEN_BYTES ? part : this.#join(part));
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
    return tokens;
  }

  #join(last: Buffer): Buffer {
    this.#keep(last);
    const token = Buffer.concat(this.#parts);
    [this.#parts, this.#length] = [[], 0];
    return token;
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#length >= MAX_TOKEN_BYTES) return;
    this.#parts.push(part.subarray(0, MAX_TOKEN_BYTES - this.#length));
    this.#length += part.length;
  }
}

/** A token as text. If it was cut, its last word is removed too, because it could be half of an e-mail address. */
export function textOf(token: Buffer): string {
  const text = token.toString('utf8');
  if (token.length < MAX_TOKEN_BYTES) return text;
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? text : text.slice(0, end);
}

interface GitOptions {
  readonly gitDir: string;
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

  /** What git prints, split at NULs: the tokens that have arrived together. */
  async *tokens(args: readonly string[], input?: GitInput): AsyncGenerator<readonly Buffer[], void, undefined> {
    const splitter = new TokenSplitter();
    for await (const piece of this.stream(args, input)) yield splitter.push(piece);
  }

  /** The lines that git prints, as they have arrived together. */
  async *lines(args: readonly string[], input?: GitInput): AsyncGenerator<readonly string[], void, undefined> {
    const splitter = new TokenSplitter(LINE_BREAK);
    for await (const piece of this.stream(args, input)) yield splitter.push(piece).map((line) => line.toString('latin1'));
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

const HEADER = /^[0-9a-f]+ (?:blob|commit) (\d+)$/;
const LONGEST_HEADER = 1_024;

/** Reads files and commits by their ids, one after the other, from one git process. It starts with the first one. */
export class ObjectReader {
  readonly #ids = new PassThrough();
  readonly #output: AsyncGenerator<Buffer, void, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(git: Git) {
    this.#output = git.stream(['cat-file', '--batch'], this.#ids);
  }

  /** Rejects with a {@link GitError} if the repository does not have it. */
  async read(sha: string): Promise<Buffer> {
    this.#ids.write(`${sha}\n`);
    const size = HEADER.exec(await this.#header())?.[1];
    if (size === undefined) throw new GitError(`the object ${sha} cannot be read`);
    // A line break follows the content.
    while (this.#rest.length <= Number(size)) await this.#more();
    const content = this.#rest.subarray(0, Number(size));
    this.#rest = this.#rest.subarray(Number(size) + 1);
    return content;
  }

  async close(): Promise<void> {
    this.#ids.end();
    await this.#output.return(undefined);
  }

  async #header(): Promise<string> {
    let end = this.#rest.indexOf(LINE_BREAK);
    while (end < 0 && this.#rest.length < LONGEST_HEADER) {
      await this.#more();
      end = this.#rest.indexOf(LINE_BREAK);
    }
    const header = this.#rest.subarray(0, Math.max(0, end)).toString('latin1');
    this.#rest = this.#rest.subarray(end + 1);
    return header;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#output.next();
    if (done === true) throw new GitError('git cat-file ended before it had printed the whole object');
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }
}
