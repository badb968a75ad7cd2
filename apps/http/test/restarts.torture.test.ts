import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, idleMachine, until } from '@vitrine/test-support';

const RESTARTS = 20;
const CLIENTS = 16;
const main = join(__dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-restarts-'));
const config = join(folder, 'vitrine.yaml');
const records = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');

interface Counts {
  whole: number;
  /** Responses that started, but did not end. */
  cut: number;
}

beforeAll(() => {
  writeFileSync(config, `store:\n  path: store\napproved:\n  - acme/widget\nsources:\n  - records: ${JSON.stringify(records)}\n`);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function start(port: number): ChildProcess {
  return spawn(process.execPath, [main], {
    env: { ...process.env, MONGODB_URI: '', VITRINE_CONFIG: config, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
}

/** One request on a persistent connection. Resolves when it has ended in any way. */
function ask(port: number, agent: http.Agent, counts: Counts): Promise<void> {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', agent, path: '/api/v1/overview' }, (response) => {
      response.resume();
      response.on('close', () => {
        counts[response.complete ? 'whole' : 'cut'] += 1;
        resolve();
      });
    });
    request.on('error', () => {
      resolve();
    });
  });
}

async function client(port: number, counts: Counts, stopped: () => boolean): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  while (!stopped()) {
    await ask(port, agent, counts);
    await new Promise((resolve) => setImmediate(resolve));
  }
  agent.destroy();
}

async function untilReady(port: number): Promise<void> {
  await until(() =>
    fetch(`http://127.0.0.1:${String(port)}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

describe('a server that is stopped under load', () => {
  it(
    'completes every response, exits with 0 within 15 s, and starts again on the same store',
    async () => {
      const counts: Counts = { whole: 0, cut: 0 };
      for (let restart = 0; restart < RESTARTS; restart++) {
        const port = await freePort();
        const server = start(port);
        const exited = once(server, 'exit');
        await untilReady(port);
        let over = false;
        const clients = Array.from({ length: CLIENTS }, () => client(port, counts, () => over));
        const before = counts.whole;
        await until(() => counts.whole > before + 2 * CLIENTS);
        const asked = performance.now();
        server.kill('SIGTERM');
        expect(await exited).toEqual([0, null]);
        expect(performance.now() - asked).toBeLessThan(idleMachine(15_000));
        over = true;
        await Promise.all(clients);
      }
      expect(counts.cut).toBe(0);
      expect(counts.whole).toBeGreaterThan(RESTARTS * CLIENTS);
    },
    RESTARTS * 120_000,
  );
});
