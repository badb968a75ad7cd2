import { parentPort, workerData } from 'node:worker_threads';
import { startServing, type ServedStore } from '../readers/reader-calls.js';
import type { ToThread } from './messages.js';

const server = startServing(
  workerData as ServedStore,
  (message) => parentPort?.postMessage(message),
  () => parentPort?.close(),
);

parentPort?.on('message', (message: ToThread) => {
  server.receive(message);
});
