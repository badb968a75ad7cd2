import { startServing, type ServedStore } from '../src/readers/reader-calls.js';
import type { Connect } from '../src/threads/store-thread.js';

/** Runs the calls in the calling thread, one turn of the event loop later. For tests: what they find does not depend on threads. */
export function connectLocal(options: ServedStore): Connect {
  return (onMessage) => {
    let onEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (onEnded = resolve));
    const server = startServing(
      options,
      (message) => {
        onMessage(structuredClone(message));
      },
      onEnded,
    );
    return {
      post: (message) => {
        const copy = structuredClone(message);
        setImmediate(() => {
          server.receive(copy);
        });
      },
      hold: () => undefined,
      end: () => {
        server.receive({ end: true });
        return ended;
      },
    };
  };
}
