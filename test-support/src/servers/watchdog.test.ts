import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';

describe('a watchdog', () => {
  it('ends a process and removes its folder when the one who set it is killed', async () => {
    const [scripts, data] = [await mkdtemp(join(tmpdir(), 'vitrine-watch-')), await mkdtemp(join(tmpdir(), 'vitrine-watch-'))];
    const outfile = join(scripts, 'watchdog.cjs');
    await build({ entryPoints: [resolve(__dirname, 'watchdog.ts')], outfile, bundle: true, platform: 'node', format: 'cjs' });
    const watched = spawn('sleep', ['60']);
    const script = `require(${JSON.stringify(outfile)}).endWithUs(${watched.pid}, ${JSON.stringify(data)}); console.log('set'); setTimeout(() => {}, 60000)`;
    const master = spawn(process.execPath, ['-e', script]);
    await once(master.stdout, 'data');
    const ended = once(watched, 'exit');
    master.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    while (existsSync(data)) await sleep(10);
    await rm(scripts, { recursive: true });
  });
});
