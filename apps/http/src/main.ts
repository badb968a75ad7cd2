import { Socket } from 'node:net';
import type { DestinationStream } from 'pino';
import type { LaunchCollector } from './composition/collecting/collector.js';
import { forkCollector } from './composition/collecting/fork-collector.js';
import { loadWith, MissingPackageError, StartError } from './composition/start-errors.js';
import type { Running } from './composition/start.js';

const [INFO, WARN] = [30, 40];
const UNUSABLE = 2;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until the server has started, a signal ends it at once. The first process of a container is not ended by a signal that it does not handle, so it exits. */
function endAtOnce(signal: (typeof SIGNALS)[number]): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(0);
}
for (const signal of SIGNALS) process.on(signal, endAtOnce);

/** Without arguments, this server collects. Then the collector loads its modules while this process loads its own. */
let prepared = process.argv.length > 2 ? null : forkCollector();

const [{ descriptorWriter, endProcess, LineOutput, stopOnSignals, streamWriter }, { informationFor, start }] = await loadWith(
  '@vitrine/collector',
  'The server',
  () => Promise.all([import('@vitrine/collector/server'), import('./composition/start.js')]),
).catch((error: unknown): never => {
  if (!(error instanceof MissingPackageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(UNUSABLE);
});

/** Lines for people go to the standard output, the log to the standard error. */
const [lines, logs] = [outputTo(process.stdout, 'lines'), outputTo(process.stderr, 'log lines')];

function outputTo(stream: NodeJS.WriteStream & { readonly fd: number }, what: string) {
  const msg = `${what} were dropped, because nobody read them`;
  return new LineOutput(writerTo(stream), { notice: (dropped) => `${JSON.stringify({ level: WARN, time: Date.now(), dropped, msg })}\n` });
}

/** JSON for programs; readable lines on a terminal, with colours unless NO_COLOR is set (https://no-color.org). */
async function logDestination(): Promise<DestinationStream> {
  if (!process.stderr.isTTY) return logs;
  const { readableLog } = await import('./composition/logging.js');
  return readableLog(logs, (process.env['NO_COLOR'] ?? '') === '');
}

/** Node waits for terminals and files only. The stream says which it is: after a `fstatSync` of a pipe, Node 20 follows no links of modules any more. */
function writerTo(stream: NodeJS.WriteStream & { readonly fd: number }) {
  return stream instanceof Socket && !stream.isTTY ? streamWriter(stream) : descriptorWriter(stream.fd);
}

/** Long enough for the longest answer and the store; below what supervisors wait. */
const LAST_RESORT_MS = 14_000;

function stopWhenAsked(running: Running): void {
  stopOnSignals(process, () => {
    // What holds it up by now, such as a disk that hangs, would hold up an exit too.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_RESORT_MS).unref();
    void running.stop().then(() => end(0));
  });
  for (const signal of SIGNALS) process.off(signal, endAtOnce);
}

async function end(code: number): Promise<void> {
  const now = AbortSignal.abort();
  await Promise.all([logs.drained(now), lines.drained(now)]);
  await endProcess(process, code);
}

const information = informationFor(process.argv.slice(2));
if (information !== null) {
  lines.write(`${information}\n`);
  await end(0);
}

try {
  // One format for programs: what is redirected together is JSON, line by line.
  const print = (line: string): void =>
    lines.write(process.stdout.isTTY ? `${line}\n` : `${JSON.stringify({ level: INFO, time: Date.now(), msg: line.trim() })}\n`);
  const launch: LaunchCollector = (hear) => {
    const connect = prepared ?? forkCollector();
    prepared = null;
    return connect(hear, logs);
  };
  const options = { args: process.argv.slice(2), env: process.env, pid: process.pid, print, logs: await logDestination(), launch };
  stopWhenAsked(await start(options));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  logs.write(`${error.message}\n`);
  await end(error.exitCode);
}
