import { fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DestinationStream } from 'pino';
import type { CollectorProcess, FromCollector, LaunchCollector } from './collector.js';

const ENTRY = fileURLToPath(new URL('../../collector-main.js', import.meta.url));
/** More than that of the server, so that answers come first, and little enough that checks are on time on a busy machine. */
const MORE_NICENESS = 5;
const MOST_NICENESS = 19;

/**
 * Starts a process that loads its modules, and collects when it gets its assignment. It ends with this process. To the standard error it writes only what
 * Node writes when a process crashes.
 *
 * @returns connects the process, once: `hear` gets its messages, `errors` its standard error. Nothing is lost until then.
 */
export function forkCollector(): (hear: Parameters<LaunchCollector>[0], errors: DestinationStream) => CollectorProcess {
  // A child that inherits the standard error makes the writes of the server wait for the reader, until the child has started: both share the mode of the file.
  const child = fork(ENTRY, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  if (child.pid !== undefined) giveWay(child.pid);
  // Node discards what a child has written when it ends, if nobody has read it by then.
  const written = child.stderr?.pipe(new PassThrough({ encoding: 'utf8' }));
  const ended = new Promise<string>((resolve) => {
    // Comes when all messages were heard.
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${String(code)}` : signal));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
  return (hear, errors) => {
    written?.on('data', (text: string) => errors.write(text));
    child.on('message', (message) => {
      // Both processes run the same build.
      hear(message as FromCollector);
    });
    return {
      tell: (message) => {
        // Send nothing to a process that has ended.
        if (child.connected) child.send(message, () => undefined);
      },
      ended,
      kill: () => child.kill('SIGKILL'),
    };
  };
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, Math.min(MOST_NICENESS, getPriority() + MORE_NICENESS));
  } catch {
    // It has ended, or a sandbox forbids it.
  }
}
