import { writeSync } from 'node:fs';

/** Prints a line at once. The reader of the pipe may be busy for a moment. */
export function acknowledge(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
