import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { serveReads, type ServedStore } from '../src/threads/reader-calls.js';

/** Runs the calls in the calling thread, behind a channel of messages. For tests: what they find does not depend on threads. */
export function startLocal(served: ServedStore): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serveReads(served, port2);
  port2.unref();
  return port1;
}
