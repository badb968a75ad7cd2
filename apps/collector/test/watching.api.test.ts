import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(__dirname, '..', 'dist', 'main.js');

describe('the process of collect --watch', () => {
  it('exits with 0 after SIGTERM, and has released the lease', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-watch-'));
    mkdirSync(join(folder, 'help'));
    writeFileSync(join(folder, 'help', 'a.md'), '# A');
    writeFileSync(join(folder, 'vitrine.yaml'), 'approved: []\nstore: { path: store }\nsources: [{ articles: help }]\n');
    const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } };
    const start = (...args: readonly string[]) => {
      const child = spawn(process.execPath, [MAIN, 'collect', ...args], options);
      return { child, exit: once(child, 'exit') };
    };
    const watching = start('--watch');
    try {
      for await (const line of createInterface({ input: watching.child.stdout }))
        if (line === 'article help: 1 stored, 0 unchanged, 0 removed') break;
      watching.child.kill('SIGTERM');
      expect(await watching.exit).toEqual([0, null]);
      expect(await start('--wait', '0s').exit).toEqual([0, null]);
    } finally {
      watching.child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
