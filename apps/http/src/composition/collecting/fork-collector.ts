import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LaunchCollector } from './collector.js';
import type { FromCollector } from './messages.js';

const ENTRY = fileURLToPath(new URL('../../collector-main.js', import.meta.url));

/** Starts a process that collects. It writes nothing to the standard output; to the standard error only what Node writes when a process crashes. */
export const forkCollector: LaunchCollector = (hear) => {
  const child = fork(ENTRY, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', (message) => {
    // Both processes run the same build.
    hear(message as FromCollector);
  });
  const ended = new Promise<string>((resolve) => {
    // Comes when all messages were heard.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : signal);
    });
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
  return {
    tell: (message) => {
      // Send nothing to a process that has ended.
      if (child.connected) child.send(message, () => undefined);
    },
    ended,
    kill: () => {
      child.kill('SIGKILL');
    },
  };
};
