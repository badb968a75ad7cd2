#!/usr/bin/env node
import { endProcess, leaseHolder, LineOutput, stopOnSignals, streamWriter } from '@vitrine/collector';
import { Progress } from './progress.js';
import { runProgram } from './program.js';

const stopping = new AbortController();
stopOnSignals(process, () => stopping.abort(new Error('stopped')));

const notice = (dropped: number): string => `… lines that nobody read, and that were dropped: ${String(dropped)}\n`;
const results = new LineOutput(streamWriter(process.stdout), { notice });
const problems = new LineOutput(streamWriter(process.stderr), { notice });
const progress = new Progress(process.stderr);

const code = await runProgram(process.argv.slice(2), {
  env: process.env,
  clock: { now: () => Date.now() },
  signal: stopping.signal,
  holder: leaseHolder(process.pid),
  stdin: () => process.stdin,
  stdout: () => process.stdout,
  print: (line) => {
    progress.clear();
    results.write(`${line}\n`);
  },
  warn: (line) => {
    progress.clear();
    problems.write(`${line}\n`);
  },
  progress,
});
await Promise.all([results.drained(stopping.signal), problems.drained(stopping.signal)]);
await endProcess(process, code);
