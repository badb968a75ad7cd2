import type { Server } from 'node:http';
import { unobtainable } from './start-error.js';

interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Listens. Throws a `StartError` when the address cannot be had. */
export async function listen(server: Server, { host, port }: ServerAddress): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw unobtainable(reasonOf(error, host, port));
  }
}

function reasonOf(error: unknown, host: string, port: number): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EADDRINUSE') return `Port ${String(port)} of ${host} is in use by another process; stop it, or set another one with PORT.`;
  if (code === 'EACCES') return `Port ${String(port)} of ${host} may not be used by this user; set one above 1023 with PORT.`;
  return `${host} port ${String(port)} cannot be listened on (${code}); set others with HOST and PORT.`;
}

/** How a browser on this machine reaches the server. */
export function originOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(port)}`;
}
