import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { FromThread } from './messages.js';
import type { ServedStore } from './serve-store.js';
import type { Connect } from './store-thread.js';

/** The file that a thread runs. package.json says where it is: in the published package, or in the sources. */
const WORKER = createRequire(import.meta.url).resolve('#store-worker');

/** Runs the calls in a worker thread. */
export function connectWorker(options: ServedStore): Connect {
  return (onMessage, onLost) => {
    const worker = new Worker(WORKER, { name: 'vitrine reader', workerData: options });
    let isEnding = false;
    let failure: unknown = null;
    worker.on('message', (message: FromThread) => {
      onMessage(message);
    });
    worker.on('error', (error) => (failure = error));
    // Not `once` of `node:events`, which rejects if the thread ends with an error.
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        if (!isEnding) onLost(failure);
        resolve();
      });
    });
    worker.unref();
    return {
      post: (message) => {
        worker.postMessage(message);
      },
      hold: (isNeeded) => {
        if (isNeeded) worker.ref();
        else worker.unref();
      },
      end: () => {
        isEnding = true;
        worker.ref();
        worker.postMessage({ end: true });
        return exited;
      },
    };
  };
}
