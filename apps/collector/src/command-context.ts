import type { Readable } from 'node:stream';
import type { Clock } from '@vitrine/core';
import type { Environment } from '@vitrine/config';
import type { Progress } from './progress.js';

/** What a command gets from the process. */
export interface CommandContext {
  readonly env: Environment;
  readonly clock: Clock;
  /** Ends the command early. */
  readonly signal: AbortSignal;
  /** What this process is called where others may hold the right to write. */
  readonly holder: string;
  /** What `import -` reads. Opened when it is asked for. */
  readonly stdin: () => Readable;
  /** Results, one line each. */
  readonly print: (line: string) => void;
  /** Problems, one line each. */
  readonly warn: (line: string) => void;
  readonly progress: Progress;
}

/** What a command gets that opens the store. */
export interface StoreContext extends CommandContext {
  /** How long to wait while another process has the store, in milliseconds. */
  readonly waitMs: number;
}
