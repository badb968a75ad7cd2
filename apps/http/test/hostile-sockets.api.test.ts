import { setTimeout as sleep } from 'node:timers/promises';
import { idleMachine, isTorture } from '@vitrine/test-support';
import { endAttacked, probing, started } from './support/attacked-server.js';
import { hostileConnection, randomOf } from './support/hostile-client.js';
import { RawClient } from './support/raw-client.js';
import type { ServerProcess } from './support/server-process.js';

const HOSTILE = isTorture ? 20_000 : 100;
const HOSTILE_AT_A_TIME = 200;
/** For effects that only many connections have. */
const LONG_RUN_MS = 60_000 * Number(process.env['VITRINE_TORTURE_MINUTES'] ?? 10);
const MEGABYTE = 1_024 * 1_024;
const SEED = Number(process.env['VITRINE_SEED'] ?? (isTorture ? Date.now() % 1_000_000 : 21));

afterAll(endAttacked);

async function hostileConnections(port: number, hasEnded: (begun: number) => boolean): Promise<number> {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (!hasEnded(begun)) await hostileConnection(port, randomOf(SEED + (begun += 1)));
  };
  await Promise.all(Array.from({ length: HOSTILE_AT_A_TIME }, worker));
  return begun;
}

/** Opens connections that Node's own time-outs and close methods do not affect. */
async function holdOpen(port: number): Promise<readonly RawClient[]> {
  const get = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
  const bytes = [
    'CONNECT x:1 HTTP/1.1\r\n\r\n',
    `${get}CONNECT x:1 HTTP/1.1\r\n\r\n`,
    get.repeat(300),
    `${get.repeat(300)}GET / HT`,
    'GET / HT',
    '\u0016\u0003\u0001',
    '',
  ];
  return Promise.all(
    bytes.map(async (text) => {
      const client = await RawClient.connect(port);
      // The stop waits as long as it may for a response that nobody reads.
      if (isTorture) client.socket.pause();
      return client.send(text);
    }),
  );
}

async function resetAfterConnect(server: ServerProcess, port: number): Promise<void> {
  for (let times = 0; times < 20; times++) {
    const client = (await RawClient.connect(port)).send('CONNECT x:1 HTTP/1.1\r\n\r\n');
    await sleep(times % 4);
    client.socket.resetAndDestroy();
  }
  expect((await server.get('/livez')).status).toBe(200);
}

async function expectUnharmed(server: ServerProcess, port: number, descriptors: number): Promise<void> {
  await server.eventually('close every connection', () => server.descriptors <= descriptors);
  const held = await holdOpen(port);
  await sleep(50);
  const askedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(idleMachine(13_000));
  for (const { socket } of held) socket.destroy();
}

describe('a server whose clients send random bytes and disconnect at any moment', () => {
  it('continues to serve, leaks no descriptor, and stops in time', async () => {
    const { server, port } = await started();
    const descriptors = server.descriptors + 2;
    const longest = await probing(
      port,
      hostileConnections(port, (begun) => begun >= HOSTILE),
    );
    await resetAfterConnect(server, port);
    if (isTorture) process.stdout.write(`${String(HOSTILE)} hostile connections from seed ${String(SEED)}: longest probe ${longest.toFixed(0)} ms\n`);
    await expectUnharmed(server, port, descriptors);
  }, 600_000);

  if (isTorture)
    it(
      'continues to serve as long as they do',
      async () => {
        const { server, port } = await started();
        const descriptors = server.descriptors + 2;
        const end = performance.now() + LONG_RUN_MS;
        const all = hostileConnections(port, () => performance.now() > end);
        const longest = await probing(port, all);
        const told = `${String(await all)} hostile connections, longest probe ${longest.toFixed(0)} ms, at most ${(server.peakBytes / MEGABYTE).toFixed(0)} MB`;
        process.stdout.write(`${told}\n`);
        await expectUnharmed(server, port, descriptors);
      },
      3 * LONG_RUN_MS + 120_000,
    );
});
