import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './open-loop.js';
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

/** Sends simple requests repeatedly, each on a new connection. Returns the longest response time. */
export async function probing(port: number, whileRunning: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = whileRunning.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const agent = new http.Agent();
    const heard = await ask(port, agent, '/livez');
    expect(heard.status).toBe(200);
    longest = Math.max(longest, heard.tookMs);
    await sleep(50);
  }
  await over;
  return longest;
}
