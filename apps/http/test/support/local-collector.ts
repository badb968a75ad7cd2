import type { Environment } from '@vitrine/config';
import { collectFor, type Collecting } from '../../src/composition/collecting/collect.js';
import type { Assignment, LaunchCollector } from '../../src/composition/collecting/collector.js';

/** Runs what the collector's process runs, in the process of the test. Messages are copied, as they are between processes. */
export function localCollector(env: Environment): LaunchCollector {
  return (hear) => {
    let collecting: Promise<Collecting> | null = null;
    let isStopped = false;
    let end: (reason: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (end = resolve));
    const begin = (assignment: Assignment): void => {
      if (isStopped) return;
      collecting = collectFor(assignment, env, (message) => {
        hear(structuredClone(message));
      });
      collecting.catch((error: unknown) => end(String(error)));
    };
    const stop = (): void => {
      isStopped = true;
      void Promise.resolve(collecting)
        .then((running) => running?.stop())
        .then(() => end('exit code 0'));
    };
    return {
      tell: (message) => {
        if ('assignment' in message) begin(structuredClone(message.assignment));
        else stop();
      },
      ended,
      kill: () => end('SIGKILL'),
    };
  };
}
