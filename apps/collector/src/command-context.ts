import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@vitrine/core';
import type { Environment } from '@vitrine/config';
import type { Progress } from './progress.js';

/** What a command needs from the process. */
export interface CommandContext {
  readonly env: Environment;
  readonly clock: Clock;
  /** Aborts when the command must stop early. */
  readonly signal: AbortSignal;
  /** The name of this process, shown to other processes that wait for the store. */
  readonly holder: string;
  /** The input of `import -`. It is opened only when the command reads it. */
  readonly stdin: () => Readable;
  /** The output of `export -`. Its errors must have a listener. */
  readonly stdout: () => Writable;
  /** Results, one line each. */
  readonly print: (line: string) => void;
  /** Problems, one line each. */
  readonly warn: (line: string) => void;
  readonly progress: Progress;
}

/** What a command needs that opens the store. */
export interface StoreContext extends CommandContext {
  /** How long to wait while another process has the store, in milliseconds. */
  readonly waitMs: number;
}
