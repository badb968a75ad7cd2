import { MAX_QUOTED, quotable, SECOND, withoutCredentials } from '@vitrine/core';
import { SourceError } from '../../running/source.js';
import type { Environment } from '@vitrine/config';
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

const REMOTE = /^(?:remote:|fatal: remote error:)/;
/** Git's own messages can contain a long path, followed by the reason. */
const LONGEST_OWN = 300;

/** A line of git's output in the form that a message may quote: without credentials and e-mail addresses. Text from another machine is cut to its beginning. */
export function quotedLine(line: string): string {
  return quotable(line, REMOTE.test(line) ? MAX_QUOTED : LONGEST_OWN);
}

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

/** The end of git's output as a message may quote it. Where it was cut, the rest of a word is dropped: it could be the end of an address. */
function quotedEnd(output: string): string {
  const whole = output.length < KEPT_STDERR ? output : output.replace(/^\S*/, '');
  return quotedLine(withoutCredentials(whole.trim()).slice(-LONGEST_OWN));
}

export type GitInput = Iterable<string> | AsyncIterable<string> | AsyncIterable<Buffer>;

/** What a run of git may use, print, and write to one file, at most. A server that is not trusted decides how much git receives, writes and keeps in memory. */
export interface GitLimits {
  readonly totalMs?: number;
  /** Of each process of git, and twice what it may allocate at once. On macOS, only the second is enforced. */
  readonly memoryBytes?: number;
  readonly fileBytes?: number;
  readonly outputBytes?: number;
}

export interface GitCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly input?: GitInput;
  /** The longest time without output before git is stopped. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly limits?: GitLimits;
}

type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

const KEPT_STDERR = 8_192;
const TERMINATION_MS = 2_000;
const [MEBIBYTE, KIBIBYTE] = [1_048_576, 1_024];
/** POSIX counts the limit of a file in blocks of 512 bytes. */
const BLOCK = 512;
/** Without this, a process that writes too large a file would be killed, and could not say why. */
const IGNORE_SIGXFSZ = "trap '' 25";

/** Runs git and yields its output in pieces, as fast as the caller reads them. Throws a {@link GitError} if git fails, or the signal's reason. */
export async function* streamGit(call: GitCall): AsyncGenerator<Buffer, void, undefined> {
  const { args, signal, timeoutMs, limits: { totalMs, outputBytes = Infinity } = {} } = call;
  signal.throwIfAborted();
  const { child, ended, said } = startGit(call);
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => stop(child, ended), { once: true });
  const cancel = (): void => stopping.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  const fail = (reason: string): void => stopping.abort(new GitError(`git ${nameOf(args)} ${reason} and was stopped`));
  const failAfter = (ms: number, what: string) => setTimeout(() => fail(`${what} ${String(ms / SECOND)} s`), ms);
  const total = totalMs === undefined ? undefined : failAfter(totalMs, 'took longer than');
  // Time during which the caller is busy does not count as silence.
  const watched = async <Result>(waiting: Promise<Result>): Promise<Result> => {
    said.timer = failAfter(timeoutMs, 'printed nothing for');
    try {
      return await waiting;
    } finally {
      clearTimeout(said.timer);
      said.timer = null;
      stopping.signal.throwIfAborted();
    }
  };
  try {
    const pieces: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
    for (let piece = await watched(pieces.next()), bytes = 0; piece.done !== true; piece = await watched(pieces.next())) {
      bytes += piece.value.length;
      if (bytes > outputBytes) fail(`printed more than ${mebibytes(outputBytes)}`);
      stopping.signal.throwIfAborted();
      yield piece.value;
    }
    const code = await watched(ended);
    if (code !== 0) throw refusal(call, said.words, code);
  } finally {
    clearTimeout(total);
    signal.removeEventListener('abort', cancel);
    if (isRunning(child)) stop(child, ended);
    await ended.catch(() => undefined);
  }
}

export async function readGit(call: GitCall): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamGit(call)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** `ended`: the exit code; `null` if a signal ended git. `said`: the end of what it has said, and a timer that starts again whenever it says something. */
function startGit(call: GitCall) {
  const child = spawnGit(call);
  const said = { words: '', timer: null as NodeJS.Timeout | null };
  child.stderr.on('data', (data: Buffer) => {
    said.words = (said.words + data.toString('utf8')).slice(-KEPT_STDERR);
    said.timer?.refresh();
  });
  const ended = exitOf(child);
  ended.catch(() => undefined);
  return { child, ended, said };
}

function isRunning({ exitCode, signalCode }: GitChild): boolean {
  return exitCode === null && signalCode === null;
}

function stop(child: GitChild, ended: Promise<unknown>): void {
  killGroup(child, 'SIGTERM');
  // A helper process that outlives git must not keep this process waiting.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  const last = setTimeout(() => killGroup(child, 'SIGKILL'), TERMINATION_MS);
  const settle = (): void => clearTimeout(last);
  ended.then(settle, settle);
}

function refusal({ args, limits }: GitCall, said: string, code: number | null): GitError {
  const words = quotedReasons(said) || quotedEnd(said) || `ended with ${code ?? 'a signal'}`;
  return new GitError(`git ${nameOf(args)}: ${words}${hintFor(said, code, limits)}`, code);
}

/** The operating system enforces the limits of memory and of files, and a shell is the only way to set them. */
function spawnGit({ args, folder, environment, input, limits: { memoryBytes, fileBytes } = {} }: GitCall): GitChild {
  const settings = [
    ...(memoryBytes === undefined ? [] : [`ulimit -d ${String(Math.ceil(memoryBytes / KIBIBYTE))} 2>/dev/null`]),
    ...(fileBytes === undefined ? [] : [IGNORE_SIGXFSZ, `ulimit -f ${String(Math.ceil(fileBytes / BLOCK))} 2>/dev/null`]),
  ];
  const [command, own] = settings.length === 0 ? ['git', []] : ['sh', ['-c', [...settings, 'exec git "$@"'].join('; '), 'git']];
  const child = spawn(command, [...own, ...args], {
    cwd: folder,
    // What git checks itself, on every system.
    env: { ...environment, ...(memoryBytes !== undefined && { GIT_ALLOC_LIMIT: String(memoryBytes / 2) }) },
    stdio: ['pipe', 'pipe', 'pipe'],
    // In their own session, git and ssh have no terminal on which they could ask for input.
    detached: true,
  });
  // If git stops reading its input, its exit code tells the reason.
  pipeline(Readable.from(input ?? []), child.stdin).catch(() => undefined);
  return child;
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw errorCodeOf(error) === 'ENOENT' ? new GitError('git is not installed, or not in PATH: install git 2.31 or later') : error;
  })) as [number | null];
  return code;
}

/** What to do. The shell exits with 127 if it does not find git, and git with 129 if it does not know an option. */
function hintFor(words: string, code: number | null, limits?: GitLimits): string {
  if (code === 127) return ' (install git 2.31 or later)';
  if (code === 129) return ' (git 2.31 or later is needed)';
  return words.includes('promisor remote')
    ? ' (a partial clone lacks objects, and nothing is fetched into a folder: give the clone address instead)'
    : limitHint(words, limits);
}

function limitHint(words: string, { memoryBytes, fileBytes }: GitLimits = {}): string {
  if (fileBytes !== undefined && words.includes('File too large'))
    return ` (the remote sends more than ${mebibytes(fileBytes)}; to show so large a repository, clone it yourself and give the folder)`;
  if (memoryBytes !== undefined && /Out of memory|over limit/.test(words))
    return ` (git would need more than ${mebibytes(memoryBytes)} of memory for what the remote sends)`;
  return '';
}

function mebibytes(bytes: number): string {
  return `${String(bytes / MEBIBYTE)} MiB`;
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

/** The git command in the arguments: the first one that is neither an option nor the value of an option. */
function nameOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}
