import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Environment } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { GitError, quotedLine } from './git-error.js';

/** How git is run. */
export interface GitCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  /** What git reads, in pieces. */
  readonly input?: Iterable<string>;
  /** Longest silence before git is ended. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** What git or the remote says, but not how far it is. */
const SAID = /^(fatal|error|warning|remote): (?!Total|Enumerating|Counting|Compressing)/;
const KEPT_STDERR = 8_192;
const TERMINATION_MS = 2_000;

/** Runs git and gives what it prints, piece by piece, as fast as it is taken. Throws a {@link GitError} unless git ends well, and the signal's reason. */
export async function* streamGit(call: GitCall): AsyncGenerator<Buffer, void, undefined> {
  call.signal.throwIfAborted();
  const run = new GitRun(call);
  try {
    yield* run.output();
    await run.finished();
  } finally {
    await run.close();
  }
}

/** Runs git and gives all it prints. */
export async function readGit(call: GitCall): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamGit(call)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** One running git. */
class GitRun {
  readonly #call: GitCall;
  readonly #child: GitChild;
  readonly #ended: Promise<number | null>;
  readonly #onAbort = (): void => {
    this.#terminate();
  };
  #failure: Error | null = null;
  #stderr = '';
  #silence: NodeJS.Timeout | null = null;

  constructor(call: GitCall) {
    this.#call = call;
    // Detached: in a session of its own git and ssh have no terminal to ask on.
    this.#child = spawn('git', [...call.args], {
      cwd: call.folder,
      env: { ...call.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    this.#ended = exitOf(this.#child);
    this.#ended.catch(() => undefined);
    this.#child.stderr.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-KEPT_STDERR);
      this.#silence?.refresh();
    });
    call.signal.addEventListener('abort', this.#onAbort, { once: true });
    // Where git stops reading, its exit code tells why.
    pipeline(Readable.from(call.input ?? []), this.#child.stdin).catch(() => undefined);
  }

  async *output(): AsyncGenerator<Buffer, void, undefined> {
    const pieces: AsyncIterator<Buffer> = this.#child.stdout[Symbol.asyncIterator]();
    for (;;) {
      const piece = await this.#watched(pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  }

  async finished(): Promise<void> {
    const code = await this.#watched(this.#ended);
    if (code !== 0) throw this.#refusal(code);
  }

  async close(): Promise<void> {
    this.#call.signal.removeEventListener('abort', this.#onAbort);
    if (isRunning(this.#child)) this.#terminate();
    await this.#ended.catch(() => undefined);
  }

  /** Waits for git, but not longer than it may be silent; while the caller is busy no time counts. */
  async #watched<Result>(waiting: Promise<Result>): Promise<Result> {
    const { timeoutMs } = this.#call;
    this.#silence = setTimeout(() => {
      this.#failure = new GitError(`git ${nameOf(this.#call.args)} said nothing for ${timeoutMs / 1_000} s and was ended`);
      this.#terminate();
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

  #terminate(): void {
    killGroup(this.#child, 'SIGTERM');
    // A helper that outlives git must not keep us waiting.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
    const last = setTimeout(() => {
      killGroup(this.#child, 'SIGKILL');
    }, TERMINATION_MS);
    const settle = (): void => {
      clearTimeout(last);
    };
    this.#ended.then(settle, settle);
  }

  #refusal(code: number | null): GitError {
    const said = this.#stderr.split(/[\r\n]+/).filter((line) => SAID.test(line));
    const words =
      (said.length > 0 ? said.slice(-3).map(quotedLine).join(' ') : quotedLine(this.#stderr.trim().slice(-300))) ||
      `ended with ${code ?? 'a signal'}`;
    return new GitError(`git ${nameOf(this.#call.args)}: ${words}${hintFor(this.#stderr, code)}`, code, this.#stderr);
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

/** What helps, where it is known. */
function hintFor(words: string, code: number | null): string {
  // 129 is git's own way to say that it does not know an option.
  if (code === 129) return ' (git 2.31 or later is needed)';
  return words.includes('promisor remote')
    ? ' (a partial clone lacks objects, and nothing is fetched into a folder: give the clone address instead)'
    : '';
}

/** Ends git with all that it started: what speaks http for it would wait for the remote for ever. */
function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    // eslint-disable-next-line no-restricted-globals -- Only this call reaches a group, and git leads one of its own.
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The command among git's arguments: the first word that is neither an option nor the value of one. */
function nameOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}
