import { parentPort, workerData } from 'node:worker_threads';
import type { OpenFiles } from '../folder/store-files.js';
import { serveReads } from './reader-calls.js';

if (parentPort !== null) serveReads(workerData as OpenFiles, parentPort);
