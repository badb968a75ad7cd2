import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from './server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
const config = join(folder, 'vitrine.yaml');
const records = join(__dirname, '..', '..', '..', '..', 'examples', 'records.ndjson');
const yaml = (approved: string): string => `store: { path: null }\napproved: [${approved}]\nsources:\n  - records: ${JSON.stringify(records)}\n`;
const servers = new Set<ServerProcess>();

export function endAttacked(): void {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Changes the allowlist of the server. */
export function approve(names: string): void {
  writeFileSync(config, yaml(names));
}

/** A server that has collected. Its log is off, because it would have one line for each hostile request. */
export async function started(descriptors?: number) {
  approve('acme/widget, acme/gadget');
  const server = new ServerProcess(config, '', [], [], { descriptors, more: { LOG_LEVEL: 'fatal' } });
  servers.add(server);
  const port = Number(new URL(await server.origin()).port);
  await server.eventually('collect', async () => (await server.get('/api/v1/repositories/acme/widget')).status === 200);
  // The store opens its files a second time when the first search arrives.
  expect((await server.get('/api/v1/search?q=widget')).status).toBe(200);
  // The thread that renders texts starts with the first text.
  expect((await server.get('/releases')).status).toBe(200);
  return { server, port };
}
