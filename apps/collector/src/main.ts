#!/usr/bin/env node
import { leaseHolder } from '@vitrine/adapters-mongo';
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
  holder: leaseHolder(process.pid),
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
