import { parentPort, workerData } from 'node:worker_threads';
import type { ToThread } from './messages.js';
import { startServing, type ServedStore } from './serve-store.js';

const server = startServing(
  workerData as ServedStore,
  (message) => parentPort?.postMessage(message),
  () => parentPort?.close(),
);

parentPort?.on('message', (message: ToThread) => {
  server.receive(message);
});
