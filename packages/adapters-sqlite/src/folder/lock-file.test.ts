import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from './lock-file.js';

const RUNNER = join(__dirname, '../../../../test/run-typescript.cjs');
const PROGRAM = join(__dirname, '../../test/locking-process.ts');

describe('a locked file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-lock-'));
    file = join(folder, 'lock');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Another process that tries to lock the file, and then stays. */
  async function otherProcess() {
    const child = spawn(process.execPath, ['-C', '@vitrine/source', RUNNER, PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const kill = (): Promise<unknown> => {
      child.kill('SIGKILL');
      return ended;
    };
    return { said: line.toString(), kill };
  }

  it('is locked for everybody until it is released, and stays empty', async () => {
    const release = lockFile(file);
    expect(lockFile(file)).toBeNull();
    const other = await otherProcess();
    await other.kill();
    expect(other.said).toBe('not locked\n');
    release?.();
    const again = lockFile(file);
    expect(again).not.toBeNull();
    again?.();
    expect(statSync(file).size).toBe(0);
  });

  it('is locked until its process is killed', async () => {
    const other = await otherProcess();
    expect([other.said, lockFile(file)]).toEqual(['locked\n', null]);
    await other.kill();
    const release = lockFile(file);
    expect(release).not.toBeNull();
    release?.();
  });
});
