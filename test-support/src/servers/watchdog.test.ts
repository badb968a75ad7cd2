import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

describe('a watchdog', () => {
  it('ends a process and removes its folder when the one who set it is killed', async () => {
    const data = await mkdtemp(join(tmpdir(), 'vitrine-watch-'));
    const watched = spawn('sleep', ['60']);
    const program = ['../../../test/run-typescript.cjs', '../../test/watching-process.ts'].map((file) => resolve(__dirname, file));
    const master = spawn(process.execPath, [...program, String(watched.pid), data]);
    await once(master.stdout, 'data');
    const ended = once(watched, 'exit');
    master.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    while (existsSync(data)) await sleep(10);
  });
});
