import { endProcess, endProcessNow, LineOutput, STOPPING } from '@vitrine/collector/server';
import { collectFor, type Collecting } from './composition/collecting/collect.js';
import type { Assignment, FromCollector, ToCollector } from './composition/collecting/collector.js';

/** Shorter than the time that the server gives this process. */
const LAST_RESORT_MS = 10_000;
const WARN = 40;

/** Sends a message to the server. Nothing can be done for a server that has gone. */
function send(message: FromCollector, done: (error?: Error | null) => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, {}, done);
  else done(new Error('the server has gone'));
}

/** Lines wait here, in a limited number, while the server is busy. */
const logs = new LineOutput((log, done) => send({ log }, done), {
  notice: (dropped) => `${JSON.stringify({ level: WARN, time: Date.now(), dropped, msg: 'log lines of the collector were dropped' })}\n`,
});

let collecting: Promise<Collecting> | null = null;

function begin(assignment: Assignment): void {
  collecting = collectFor(assignment, process.env, (message) => {
    if ('log' in message) logs.write(message.log);
    else send(message);
  });
  collecting.catch((error: unknown) => {
    // The server says that this process has ended, and starts the next one.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    void end(1);
  });
}

let isStopping = false;

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => endProcessNow(process, 1), LAST_RESORT_MS).unref();
  void Promise.resolve(collecting)
    .then((running) => running?.stop())
    .then(() => end(0));
}

async function end(code: number): Promise<void> {
  await logs.drained(AbortSignal.abort());
  await endProcess(process, code);
}

if (process.send === undefined) {
  process.stderr.write('The server starts this program. To collect without a server, run: npm run vitrine -- collect --watch\n');
  process.exitCode = 2;
} else {
  process.on('disconnect', stop);
  for (const signal of STOPPING) process.on(signal, stop);
  process.on('message', (message) => {
    // Both processes run the same build.
    const told = message as ToCollector;
    if ('stop' in told) stop();
    else if (!isStopping) begin(told.assignment);
  });
}
