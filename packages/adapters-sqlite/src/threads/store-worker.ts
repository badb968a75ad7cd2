import { parentPort, workerData } from 'node:worker_threads';
import type { ToThread } from './messages.js';
import { startServing, type ServedStore } from './serve-store.js';
import type { StoreRole } from './store-role.js';

const { role, options } = workerData as { readonly role: StoreRole; readonly options: ServedStore };

const server = startServing(
  role,
  options,
  (message) => parentPort?.postMessage(message),
  () => parentPort?.close(),
);

parentPort?.on('message', (message: ToThread) => {
  server.receive(message);
});
