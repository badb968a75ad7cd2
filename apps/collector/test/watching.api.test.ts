import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandLine } from './support/command-line.js';

const MAIN = join(__dirname, '..', 'dist', 'main.js');

describe('the process of collect --watch', () => {
  it('exits with 0 after SIGTERM, and has released the lease', async () => {
    const next = new CommandLine('approved: []\nstore: { path: store }\nsources: [{ articles: help }]\n', {});
    const { folder } = next;
    mkdirSync(next.path('help'));
    next.write('help/a.md', '# A');
    const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } };
    const watching = spawn(process.execPath, [MAIN, 'collect', '--watch'], options);
    const exit = once(watching, 'exit');
    try {
      for await (const line of createInterface({ input: watching.stdout })) if (line === 'article help: 1 stored, 0 unchanged, 0 removed') break;
      watching.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      expect([await next.run('collect', '--wait', '0s'), next.err]).toEqual([0, []]);
    } finally {
      watching.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
