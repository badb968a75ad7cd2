import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idleMachine } from '@vitrine/test-support';
import { ServerProcess } from './support/server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
const config = join(folder, 'vitrine.yaml');
const LEAST = 'server: { port: 0 }\nstore: { path: null }\napproved: [acme/widget]\n';
const REFUSED = 'the allowlist cannot be read';
const READ_AGAIN = 'the allowlist can be read again';
const MEGABYTE = 1_000_000;

/** Each of these once blocked the server for seconds. */
const HOSTILE: Readonly<Record<string, string>> = {
  'has a million entries': `approved:\n${Array.from({ length: MEGABYTE }, (_, index) => `  - o${String(index)}/n\n`).join('')}`,
  'opens a million lists': `approved: ${'['.repeat(MEGABYTE)}`,
  'has 2 MB of comments': `${'#\n'.repeat(MEGABYTE)}approved: []\n`,
  'has 2 MB of dashes': `approved:\n${'- \n'.repeat(600_000)}`,
};

/** At its end, the process prints the milliseconds that processors worked for it. Unlike the time on the clock, they do not grow when other processes share the machine. */
const PROCESSOR_TIME = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  console.error('PROCESSOR ' + Math.round((user + system) / 1000));
});`;
const WITH_PROCESSOR_TIME = ['--import', `data:text/javascript,${encodeURIComponent(PROCESSOR_TIME)}`];

describe('a server whose configuration file becomes invalid on purpose', () => {
  const server = new Array<ServerProcess>();
  afterAll(async () => {
    await server[0]?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('continues to serve, keeps its last valid list, and reports each problem', async () => {
    writeFileSync(config, LEAST);
    const running = new ServerProcess(config, '');
    server.push(running);
    const origin = await running.origin();
    for (const text of Object.values(HOSTILE)) {
      const told = (message: string) => running.err.split(message).length;
      const [refused, readAgain] = [told(REFUSED), told(READ_AGAIN)];
      writeFileSync(config, text);
      let longest = 0;
      await running.eventually('refuse the file', async () => {
        const askedAt = performance.now();
        expect((await fetch(`${origin}/livez`)).status).toBe(200);
        longest = Math.max(longest, performance.now() - askedAt);
        return told(REFUSED) > refused;
      });
      expect(longest).toBeLessThan(idleMachine(2_000));
      expect((await fetch(`${origin}/api/v1/repositories`)).status).toBe(200);
      writeFileSync(config, LEAST);
      await running.eventually('read the list again', () => told(READ_AGAIN) > readAgain);
    }
  });

  it('rejects each of them at its start', async () => {
    for (const [what, text] of Object.entries(HOSTILE)) {
      writeFileSync(config, text);
      const refused = new ServerProcess(config, '', [], WITH_PROCESSOR_TIME);
      expect([what, await refused.ended()]).toEqual([what, 2]);
      expect(Number(/PROCESSOR (\d+)/.exec(refused.err)?.[1])).toBeLessThan(idleMachine(5_000));
    }
  });
});
