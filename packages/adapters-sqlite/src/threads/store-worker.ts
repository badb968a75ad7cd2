import { parentPort, workerData } from 'node:worker_threads';
import { serveReads, type ServedStore } from './reader-calls.js';

if (parentPort !== null) serveReads(workerData as ServedStore, parentPort);
