import { readdirSync } from 'node:fs';
import { until } from '@vitrine/test-support';
import { drain } from '../src/serving/server.js';
import { Api } from './support/api.js';
import { holdOpen, hostileConnections, probing, resetAfterConnect } from './support/hostile-client.js';
import { smallWorld } from './support/small-world.js';

const HOSTILE = 100;
const SEED = 21;

/** The open file descriptors of this process: those of the server and of its clients. */
const descriptors = (): number => readdirSync('/proc/self/fd').length;

afterAll(() => Api.closeAll());

// hostile-sockets.torture.test.ts does the same to a server process, with far more connections.
describe('a server whose clients send random bytes and disconnect at any moment', () => {
  it('continues to serve, leaks no descriptor, and stops', async () => {
    const api = await Api.open({ records: smallWorld });
    expect((await api.get('/livez')).status).toBe(200);
    const before = descriptors();
    await probing(
      api.port,
      hostileConnections(api.port, SEED, (begun) => begun >= HOSTILE),
    );
    await resetAfterConnect(api.port);
    expect((await api.get('/livez')).status).toBe(200);
    await until(() => descriptors() <= before + 2);
    const held = await holdOpen(api.port);
    api.application.stop();
    await drain(api.server, { graceMs: 50, deadlineMs: 60_000 });
    for (const { socket } of held) socket.destroy();
  });
});
