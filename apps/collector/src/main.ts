#!/usr/bin/env node
import { createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import { endProcess, leaseHolder, LineOutput, stopOnSignals, streamWriter, writingFailed } from '@vitrine/collector';
import { EXIT, hasDisconnected, messageOf } from './context.js';
import { Progress } from './progress.js';
import { runProgram } from './program.js';

const stopping = new AbortController();
stopOnSignals(process, () => stopping.abort(new Error('stopped')));

/** If a disk is nearly full, `process.stdout` writes the part of a text for which there is space, and reports no error. A stream of the file does. */
const stdout = process.stdout instanceof Socket ? process.stdout : createWriteStream('', { fd: 1, autoClose: false });
const notice = (dropped: number): string => `… lines that nobody read, and that were dropped: ${String(dropped)}\n`;
const results = new LineOutput(streamWriter(stdout), { notice, maxWaiting: Infinity });
const logs = new LineOutput(streamWriter(stdout), { notice });
const problems = new LineOutput(streamWriter(process.stderr), { notice });
const progress = new Progress(process.stderr);

/** Permanent lines replace the progress line. */
function linesOf(output: LineOutput) {
  return (line: string): void => {
    progress.clear();
    output.write(`${line}\n`);
  };
}

const warn = linesOf(problems);
const code = await runProgram(process.argv.slice(2), {
  env: process.env,
  clock: { now: () => Date.now() },
  signal: stopping.signal,
  holder: leaseHolder(process.pid),
  stdin: () => process.stdin,
  stdout: () => stdout,
  print: linesOf(results),
  log: linesOf(logs),
  warn,
  progress,
});
await Promise.all([results, logs].map((output) => output.drained(stopping.signal)));
const isLost = results.failure !== null && !hasDisconnected(results.failure);
if (isLost) warn(messageOf(writingFailed('standard output', results.failure)));
await problems.drained(stopping.signal);
await endProcess(process, isLost ? Math.max(code, EXIT.usage) : code);
