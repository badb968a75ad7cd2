import type { Server } from 'node:http';
import net from 'node:net';

export interface DrainOptions {
  /** Milliseconds for which idle connections may still bring a request, which is then answered with `Connection: close`. */
  readonly graceMs: number;
  /** Milliseconds after which whatever still runs is cut. */
  readonly deadlineMs: number;
}

const LOOK_MS = 50;

/** Stops accepting, lets running answers end, and resolves when no connection is left. */
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
    // The HTTP server's own close() would end idle connections at once, and with them requests that are on their way.
    net.Server.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(deadline);
      clearInterval(looking);
      resolve();
    });
  });
}
