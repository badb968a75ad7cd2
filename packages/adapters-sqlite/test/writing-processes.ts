import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const runner = resolve(__dirname, '../../../test/run-typescript.cjs');

/** A process that writes to a store, and prints the number of each acknowledged write. */
export interface WritingProcess {
  /** Resolves when it has acknowledged that many writes. */
  acknowledged(count: number): Promise<void>;
  /** Resolves with the last line that it has printed when it has ended. */
  readonly lastLine: Promise<string>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

/** @param program the file in this folder that the process runs */
export function writingProcess(program: string, ...args: readonly string[]): WritingProcess {
  const child = spawn(process.execPath, ['-C', '@vitrine/source', runner, resolve(__dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (text: Buffer) => (told += text.toString()));
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  return {
    acknowledged: (count) =>
      new Promise<void>((enough) => {
        const look = (): void => {
          if (told.split('\n').length > count) enough();
        };
        child.stdout.on('data', look);
        look();
        void closed.then(enough);
      }),
    lastLine: closed.then(() => told.trim().split('\n').at(-1) ?? ''),
    signal: (name) => child.kill(name),
  };
}
