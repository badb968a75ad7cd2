import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { OpenFiles } from '../src/folder/store-files.js';
import { serveReads } from '../src/threads/reader-calls.js';

/** Runs the calls in the calling thread, behind a channel of messages. For tests: what they find does not depend on threads. */
export function startLocal(files: OpenFiles): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serveReads(files, port2);
  port2.unref();
  return port1;
}
