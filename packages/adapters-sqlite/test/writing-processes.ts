import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const program = ['-C', '@vitrine/source', ...['../../../test/run-typescript.cjs', 'writing-process.ts'].map((file) => resolve(__dirname, file))];

/** A process that runs `writing-process.ts`. */
export interface WritingProcess {
  /** Resolves when it has acknowledged that many writes. */
  acknowledged(count: number): Promise<void>;
  /** Resolves with the number of the last acknowledged write when the process has ended. */
  readonly ended: Promise<number>;
  kill(): void;
}

export function writingProcess(...args: readonly string[]): WritingProcess {
  const child = spawn(process.execPath, [...program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    ended: closed.then(() => Number(told.split('\n').at(-2))),
    kill: () => child.kill('SIGKILL'),
  };
}
