import { setTimeout as sleep } from 'node:timers/promises';
import { endAttacked, started } from './support/attacked-server.js';
import { holdOpen, hostileConnections, probing, resetAfterConnect } from './support/hostile-client.js';
import type { ServerProcess } from './support/server-process.js';

const HOSTILE = 20_000;
/** For effects that only many connections have. */
const LONG_RUN_MS = 60_000 * Number(process.env['VITRINE_TORTURE_MINUTES'] ?? 10);
const MEGABYTE = 1_024 * 1_024;
const SEED = Number(process.env['VITRINE_SEED'] ?? Date.now() % 1_000_000);

afterAll(endAttacked);

async function expectUnharmed(server: ServerProcess, port: number, descriptors: number): Promise<void> {
  await server.eventually('close every connection', () => server.descriptors <= descriptors);
  const held = await holdOpen(port);
  await sleep(50);
  const askedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(13_000);
  for (const { socket } of held) socket.destroy();
}

describe('a server whose clients send random bytes and disconnect at any moment', () => {
  it('continues to serve, leaks no descriptor, and stops in time', async () => {
    const { server, port } = await started();
    const descriptors = server.descriptors + 2;
    const longest = await probing(
      port,
      hostileConnections(port, SEED, (begun) => begun >= HOSTILE),
    );
    await resetAfterConnect(port);
    expect((await server.get('/livez')).status).toBe(200);
    process.stdout.write(`${String(HOSTILE)} hostile connections from seed ${String(SEED)}: longest probe ${longest.toFixed(0)} ms\n`);
    await expectUnharmed(server, port, descriptors);
  }, 600_000);

  it(
    'continues to serve as long as they do',
    async () => {
      const { server, port } = await started();
      const descriptors = server.descriptors + 2;
      const end = performance.now() + LONG_RUN_MS;
      const all = hostileConnections(port, SEED, () => performance.now() > end);
      const longest = await probing(port, all);
      const told = `${String(await all)} hostile connections, longest probe ${longest.toFixed(0)} ms, at most ${(server.peakBytes / MEGABYTE).toFixed(0)} MB`;
      process.stdout.write(`${told}\n`);
      await expectUnharmed(server, port, descriptors);
    },
    3 * LONG_RUN_MS + 120_000,
  );
});
