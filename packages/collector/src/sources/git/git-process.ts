import { MAX_QUOTED, quotable, withoutCredentials } from '@vitrine/core';
import { SourceError } from '../../running/source.js';
import { MONGODB_URI, type Environment } from '@vitrine/config';
import { devNull } from 'node:os';
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '@vitrine/config/internal';

/** A problem of git or a repository that a person must fix. The message says what is wrong, and never contains credentials. */
export class GitError extends SourceError {
  /** @param exitCode that of git; `null` if git has not exited by itself */
  constructor(
    message: string,
    readonly exitCode: number | null = null,
  ) {
    super(message, 'FAILED');
  }
}

/** Lines that come from another machine. */
const REMOTE = /^(?:remote:|fatal: remote error:)/;
/** Git's own messages can contain a long path, followed by the reason. */
const LONGEST_OWN = 300;

/** A line of git's output in the form that a message may quote: without credentials and e-mail addresses. Text from another machine is cut to its beginning. */
export function quotedLine(line: string): string {
  return quotable(line, REMOTE.test(line) ? MAX_QUOTED : LONGEST_OWN);
}

/** Messages of git, its ssh or the remote, without progress messages. */
const SAID = /^(?:fatal|error|warning|remote|ssh): (?!Total|Enumerating|Counting|Compressing)/;
/** Git prints this when ssh has failed. The reason is on the line before. */
const SSH_FAILED = 'fatal: Could not read from remote repository.';
/** Messages of ssh can name files of this user, such as keys. */
const PATH = /(?:^|[\s"'(=])[/~]/;

/** The last lines of git's output that say what is wrong, in the form that a message may quote; empty if there are none. */
export function quotedReasons(output: string): string {
  const lines = output.split(/[\r\n]+/);
  const reasons = lines.flatMap((line, index) => {
    if (SAID.test(line) && !(line.startsWith('ssh:') && PATH.test(line))) return quotedLine(line);
    // The remote can send a text that looks like one of ssh.
    return lines[index + 1] === SSH_FAILED && !PATH.test(line) ? quotable(line, MAX_QUOTED) : [];
  });
  return reasons.slice(-3).join(' ');
}

/**
 * The end of git's output, in the form that a message may quote.
 *
 * @param most the length to which the output was cut. What is left of a word at the cut is dropped, because nothing would show that it is the end of an address
 */
function quotedEnd(output: string, most: number): string {
  const whole = output.length < most ? output : output.replace(/^\S*/, '');
  return quotedLine(withoutCredentials(whole.trim()).slice(-LONGEST_OWN));
}

/** Variables that a git process with network access may inherit: how to connect and how to authenticate. */
const NETWORK = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_.*|EXEC_PATH)$/;

const ALWAYS = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GIT_OPTIONAL_LOCKS: '0', GIT_ATTR_NOSYSTEM: '1' } as const;

/**
 * The environment of a git process that only reads a local repository. Its output is the same for every user, because user configuration and replaced
 * objects are disabled. It makes no connection, not even to fetch the missing objects of a partial clone.
 */
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

/** The environment of a git process that clones. It uses the user's configuration and credential helpers, but never asks a person for input. */
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

export type GitInput = Iterable<string> | AsyncIterable<string> | AsyncIterable<Buffer>;

interface GitCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly input?: GitInput;
  /** The longest time without output before git is stopped. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

const KEPT_STDERR = 8_192;
const TERMINATION_MS = 2_000;

/** Runs git and yields its output in pieces, as fast as the caller reads them. Throws a {@link GitError} if git fails, or the signal's reason. */
export async function* streamGit(call: GitCall): AsyncGenerator<Buffer, void, undefined> {
  call.signal.throwIfAborted();
  const run = new GitRun(call);
  call.signal.addEventListener('abort', run.stop, { once: true });
  try {
    const pieces: AsyncIterator<Buffer> = run.child.stdout[Symbol.asyncIterator]();
    for (let piece = await run.watched(pieces.next()); piece.done !== true; piece = await run.watched(pieces.next())) yield piece.value;
    const code = await run.watched(run.ended);
    if (code !== 0) throw run.refusal(code);
  } finally {
    call.signal.removeEventListener('abort', run.stop);
    if (isRunning(run.child)) run.stop();
    await run.ended.catch(() => undefined);
  }
}

export async function readGit(call: GitCall): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamGit(call)) pieces.push(piece);
  return Buffer.concat(pieces);
}

class GitRun {
  readonly child: GitChild;
  /** The exit code; `null` if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly #call: GitCall;
  #failure: Error | null = null;
  #stderr = '';
  #silence: NodeJS.Timeout | null = null;

  constructor(call: GitCall) {
    this.#call = call;
    // Detached: in their own session, git and ssh have no terminal on which they could ask for input.
    this.child = spawn('git', [...call.args], {
      cwd: call.folder,
      env: { ...call.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    this.ended = exitOf(this.child);
    this.ended.catch(() => undefined);
    this.child.stderr.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-KEPT_STDERR);
      this.#silence?.refresh();
    });
    // If git stops reading its input, its exit code tells the reason.
    pipeline(Readable.from(call.input ?? []), this.child.stdin).catch(() => undefined);
  }

  /** Waits for git, but not longer than it may be silent. Time during which the caller is busy does not count. */
  async watched<Result>(waiting: Promise<Result>): Promise<Result> {
    const { timeoutMs } = this.#call;
    this.#silence = setTimeout(() => {
      this.#failure = new GitError(`git ${nameOf(this.#call.args)} printed nothing for ${timeoutMs / 1_000} s and was stopped`);
      this.stop();
    }, timeoutMs);
    try {
      const result = await waiting;
      this.#throwIfEnded();
      return result;
    } catch (error) {
      this.#throwIfEnded();
      throw error;
    } finally {
      clearTimeout(this.#silence);
      this.#silence = null;
    }
  }

  #throwIfEnded(): void {
    this.#call.signal.throwIfAborted();
    if (this.#failure !== null) throw this.#failure;
  }

  readonly stop = (): void => {
    killGroup(this.child, 'SIGTERM');
    // A helper process that outlives git must not keep this process waiting.
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream.destroy();
    const last = setTimeout(() => {
      killGroup(this.child, 'SIGKILL');
    }, TERMINATION_MS);
    const settle = (): void => {
      clearTimeout(last);
    };
    this.ended.then(settle, settle);
  };

  refusal(code: number | null): GitError {
    const words = quotedReasons(this.#stderr) || quotedEnd(this.#stderr, KEPT_STDERR) || `ended with ${code ?? 'a signal'}`;
    return new GitError(`git ${nameOf(this.#call.args)}: ${words}${hintFor(this.#stderr, code)}`, code);
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  } catch (error) {
    throw errorCodeOf(error) === 'ENOENT' ? new GitError('git is not installed, or not in PATH: install git 2.31 or later') : error;
  }
}

function hintFor(words: string, code: number | null): string {
  // Git exits with 129 if it does not know an option.
  if (code === 129) return ' (git 2.31 or later is needed)';
  return words.includes('promisor remote')
    ? ' (a partial clone lacks objects, and nothing is fetched into a folder: give the clone address instead)'
    : '';
}

/** Stops git and all processes that it has started. Otherwise its HTTP helper could wait for the remote forever. */
function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    // eslint-disable-next-line no-restricted-globals -- No other call can signal a process group. Git leads its own group.
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The git command in the arguments: the first one that is neither an option nor the value of an option. */
function nameOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}
