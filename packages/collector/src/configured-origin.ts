import type { Config } from '@vitrine/config';

/** The address that a server with this configuration would listen on. */
export function configuredOrigin({ server: { host, port } }: Pick<Config, 'server'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(port)}`;
}
