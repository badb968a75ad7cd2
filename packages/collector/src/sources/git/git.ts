import { devNull } from 'node:os';
import { MONGODB_URI, type Environment } from '@vitrine/config';
import { GitError, readGit, streamGit, type GitCall, type GitInput } from './git-process.js';
import { MAX_TOKEN_BYTES, TokenSplitter } from './token-splitter.js';

/** A token as text. If it was cut, its last word is removed too, because it could be half of an e-mail address. */
export function textOf(token: Buffer): string {
  const text = token.toString('utf8');
  if (token.length < MAX_TOKEN_BYTES) return text;
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  return end < 0 ? text : text.slice(0, end);
}

const LINE_BREAK = 0x0a;

/** How git runs for a source, whatever it does. */
export type GitProcessOptions = Pick<GitCall, 'environment' | 'timeoutMs' | 'signal'>;

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

/** Variables that a git process with network access may inherit: how to connect and how to authenticate. */
const NETWORK = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_.*|EXEC_PATH)$/;

const ALWAYS = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GIT_OPTIONAL_LOCKS: '0', GIT_ATTR_NOSYSTEM: '1' } as const;

/** For git that only reads a local repository: the same output for every user, and no connection, not even for the missing objects of a partial clone. */
export function readingEnvironment(environment: Environment): Environment {
  return {
    ...withoutGit(environment, /^GIT_EXEC_PATH$/),
    ...ALWAYS,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** For git that clones: with the configuration and the credential helpers of the user, but without questions to a person. */
export function networkEnvironment(environment: Environment): Environment {
  const ssh =
    environment['GIT_SSH'] === undefined ? { GIT_SSH_COMMAND: environment['GIT_SSH_COMMAND'] ?? 'ssh -o BatchMode=yes -o ConnectTimeout=30' } : {};
  return {
    ...withoutGit(environment, NETWORK),
    ...ALWAYS,
    ...ssh,
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh:git:file',
  };
}

/** Removes variables such as `GIT_DIR`, which a hook sets and which would make git use another repository. Also removes the connection string of the database. */
function withoutGit(environment: Environment, kept: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => (name.startsWith('GIT_') ? kept.test(name) : name !== MONGODB_URI)));
}
