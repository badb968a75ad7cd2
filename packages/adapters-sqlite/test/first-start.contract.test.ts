import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { NOW } from '@vitrine/core/testing';
import { compiledShim } from './compiled-shim.js';
import { openLocalStore } from './open-local-store.js';

const runner = resolve(__dirname, '../../../test/run-typescript.cjs');
/** Before which changes of the folder a process is killed. `npm test` takes one before the file has its name, and one after that. */
const STEPS = process.env['VITRINE_TORTURE'] === '1' ? Array.from({ length: 1_000 }, (_, index) => index + 1) : [31, 92];

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-first-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Starts a process that creates a store, writes one batch and ends. It is killed before its change number `step` to the folder. Returns whether it was killed. */
function isKilled(shim: string, folder: string, step: number): boolean {
  const env = { ...process.env, LD_PRELOAD: shim, FAILING_DISK_FOLDER: folder, FAILING_DISK_DIES_AT: String(step) };
  const args = ['-C', '@vitrine/source', runner, resolve(__dirname, 'writing-process.ts'), folder, 'a', '1', '1'];
  const { status, signal, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
}

describe('a process that is killed during the first start', () => {
  it('leaves a folder that the next start uses, whatever its last step was', async () => {
    const shim = compiledShim(root);
    if (shim === null) return;
    let [before, after] = [0, 0];
    for (const step of STEPS) {
      const folder = join(root, `${String(step)}-store`);
      if (!isKilled(shim, folder, step)) break;
      if (existsSync(join(folder, 'vitrine.db'))) after += 1;
      else before += 1;
      const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
      await store.close();
      expect((await readdir(folder)).filter((name) => name.includes('new'))).toEqual([]);
    }
    expect([before > 0, after > 0]).toEqual([true, true]);
  }, 600_000);
});
