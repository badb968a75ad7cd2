import { pino } from 'pino';
import { start, type Running } from './composition/start.js';
import { StartError } from './composition/start-error.js';

// Lines for people go to the standard output, the log to the standard error.
const logs = pino.destination({ dest: process.stderr.fd, sync: false });

/** Long enough for the longest answer and the store; below what supervisors wait. */
const LAST_RESORT_MS = 14_000;

function stopOnSignal(running: Running): void {
  let isStopping = false;
  const stop = (): void => {
    // Whoever asks twice does not want to wait.
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
    void running.stop().then(() => {
      logs.flushSync();
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

try {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  stopOnSignal(await start({ args: process.argv.slice(2), env: process.env, pid: process.pid, print, logs }));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
