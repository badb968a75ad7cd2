import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Readable, Writable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { readConfig } from '@vitrine/collector';
import { parseDuration, type Environment, type Config } from '@vitrine/config';
import { parseDateTime, withoutCredentials, type Clock, type Instant } from '@vitrine/core';
import type { Progress } from './progress.js';

export interface CommandContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The name of this process, shown to other processes that wait for the store. */
  readonly holder: string;
  /** The input of `import -`. It is opened only when the command reads it. */
  readonly stdin: () => Readable;
  /** The output of `export -`. Its errors must have a listener. */
  readonly stdout: () => Writable;
  /** Prints a line of the result. All of the result is written, however slowly it is read. */
  readonly print: (line: string) => void;
  /** Prints a line about work that continues. It is dropped if too many lines wait for a reader. */
  readonly log: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly progress: Progress;
}

export interface StoreContext extends CommandContext {
  /** How long to wait while another process has the store, in milliseconds. */
  readonly waitMs: number;
}

export const EXIT = {
  fine: 0,
  /** Some records or sources failed; everything else was done. */
  partly: 1,
  /** The command line or the configuration is invalid; nothing was done. */
  usage: 2,
  /** The store cannot be opened, reached or written. */
  store: 3,
  /** Another process got the lease. What was stored stays; run the same command again to complete it. */
  lost: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The arguments or the configuration do not allow this command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The configuration of a command that needs a store. Rejects with a {@link UsageError} if none is kept, because such a store is empty and is removed at the end of the command. */
export async function storedConfig(env: Environment): Promise<Config> {
  const config = await readConfig(env);
  const { file, store } = config;
  if (store.kind === 'embedded' && store.path === null)
    throw new UsageError(`${file}: store.path: is null, so no store is kept; write the path of a folder, or store: mongodb`);
  return config;
}

/** The message of any thrown value, without what may be secret in the addresses that it names. */
export function messageOf(error: unknown): string {
  return withoutCredentials(typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error));
}

export function errorCodeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether a write has failed because nobody reads any more, as with `| head`. */
export function hasDisconnected(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET'].includes(errorCodeOf(error));
}

/** What to tell about a file that cannot be written, by the code of the error; `null` for other errors. @param reasons follow the name of the file */
export function fileProblem(error: unknown, file: string, reasons: Readonly<Record<string, string>>): UsageError | null {
  const reason = reasons[errorCodeOf(error)];
  return reason === undefined ? null : new UsageError(`${file} ${reason}`);
}

export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export const { version: OWN_VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Runs a command with the arguments of the command line, and keeps its exit code. */
export type Run = <Given extends readonly unknown[]>(command: (...given: Given) => Promise<ExitCode>) => (...given: Given) => Promise<void>;

/** Adds a command with the settings of the program. */
export type Add = (usage: string, description: string) => Command;

export function under(parent: Command): Add {
  return (usage, description) => parent.command(usage).description(description).copyInheritedSettings(parent);
}

/** The default is long enough for a process that is about to exit, and short enough for a command that a timer starts. */
export function waitOption(): Option {
  return new Option('--wait <duration>', 'how long to wait while another process has the store').default(10_000, '10s').argParser((text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds === null) throw new InvalidArgumentError('Use a number and a unit, such as 0s, 30s or 5m.');
    return milliseconds;
  });
}

/** An option that can be given several times. @param otherwise what its absence means, for the help */
export function repeated(flags: string, description: string, otherwise = 'none'): Option {
  return new Option(flags, `${description}; can be given several times`)
    .default([], otherwise)
    .argParser((text, before: readonly string[]) => [...before, text]);
}

/** The time of an option. Throws an `InvalidArgumentError` if it is not a date and time with offset. */
export function timeOf(text: string): Instant {
  const instant = parseDateTime(text);
  if (instant === null) throw new InvalidArgumentError('Use a date and time with offset, such as 2026-11-20T22:00:00Z.');
  return instant;
}
