import type { Server } from 'node:http';
import net from 'node:net';

export interface DrainOptions {
  /** Milliseconds in which idle connections may still send a request. Its response has `Connection: close`. */
  readonly graceMs: number;
  /** Milliseconds after which all connections are closed, even those with a request in progress. */
  readonly deadlineMs: number;
}

const LOOK_MS = 50;

/** Stops accepting connections, waits for responses in progress, and resolves when no connection is left. */
export function drain(server: Server, { graceMs, deadlineMs }: DrainOptions): Promise<void> {
  return new Promise((resolve) => {
    let looking: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      looking = setInterval(() => {
        server.closeIdleConnections();
      }, LOOK_MS);
    }, graceMs);
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, deadlineMs);
    // The HTTP server's own close() would close idle connections at once, and lose requests that are on their way.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(deadline);
      clearInterval(looking);
      resolve();
    });
  });
}
