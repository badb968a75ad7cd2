#!/usr/bin/env node
import { Progress } from './progress.js';
import { runProgram } from './program.js';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping.abort(new Error('stopped'));
  });
}

const progress = new Progress(process.stderr);

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  clock: { now: () => Date.now() },
  signal: stopping.signal,
  print: (line) => {
    progress.clear();
    process.stdout.write(`${line}\n`);
  },
  warn: (line) => {
    progress.clear();
    process.stderr.write(`${line}\n`);
  },
  progress,
});
