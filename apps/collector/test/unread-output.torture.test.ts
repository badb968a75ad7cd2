import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const main = join(__dirname, '..', 'dist', 'main.js');
const BAD_LINES = 20_000;

describe('the command line program when nobody reads its output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-unread-'));
  const file = join(folder, 'bad.ndjson');
  beforeAll(() => {
    mkdirSync(join(folder, '.vitrine'));
    writeFileSync(join(folder, 'vitrine.yaml'), 'approved: [acme/widget]\n');
    writeFileSync(file, 'nonsense\n'.repeat(BAD_LINES));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const started = () => {
    const child = spawn(process.execPath, [main, 'import', file], {
      env: { PATH: process.env['PATH'], VITRINE_CONFIG: join(folder, 'vitrine.yaml') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, ended: once(child, 'exit') };
  };

  it('ends soon after SIGTERM', async () => {
    const { child, ended } = started();
    await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    expect(await Promise.race([ended, sleep(30_000, 'still there', { ref: false })])).toEqual([1, null]);
    child.kill('SIGKILL');
  });

  it('reports how many problems it could not print', async () => {
    const { child, ended } = started();
    await once(child.stdout, 'readable');
    let told = '';
    child.stderr.on('data', (data: Buffer) => (told += data.toString()));
    child.stdout.resume();
    expect(await ended).toEqual([1, null]);
    const dropped = Number(/dropped: (\d+)/.exec(told)?.[1]);
    expect(dropped).toBeGreaterThan(0);
    expect(told.split('\n').filter((line) => line.includes('is not JSON')).length + dropped).toBe(BAD_LINES);
  });

  it('completes its work after the reader has disconnected', async () => {
    const { child, ended } = started();
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await ended).toEqual([1, null]);
  });
});
