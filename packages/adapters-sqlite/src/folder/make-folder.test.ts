import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { makeFolder } from './make-folder.js';

/** Both threads begin each round at the same moment. A thread that fails reports the code of its error. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { rmSync } = require('node:fs');
  const { join } = require('node:path');
  const { module, root, first, rounds, shared } = workerData;
  const arrived = new Int32Array(shared);
  const meet = (round) => {
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < 2 * round);
  };
  import(module).then(({ makeFolder }) => {
    const codes = [];
    for (let round = 1; round <= rounds; round++) {
      if (first) rmSync(join(root, 'a'), { recursive: true, force: true });
      meet(2 * round - 1);
      try {
        makeFolder(join(root, 'a', 'b', 'c', first ? 'x' : 'y'));
      } catch (error) {
        codes.push(error.code);
      }
      meet(2 * round);
    }
    parentPort.postMessage(codes);
  });`;

describe('a new folder of a store', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vitrine-made-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('is made with its parents, which only its owner can use, also while another process makes the same parents', async () => {
    const shared = new SharedArrayBuffer(4);
    const module = pathToFileURL(join(__dirname, '..', '..', 'dist', 'folder', 'make-folder.js')).href;
    const codes = [true, false].map(
      (first) =>
        new Promise((resolve, reject) => {
          const thread = new Worker(THREAD, { eval: true, workerData: { module, root, first, rounds: 20, shared } });
          thread.once('message', resolve).once('error', reject);
        }),
    );
    expect(await Promise.all(codes)).toEqual([[], []]);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'a/b', 'a/b/c', 'a/b/c/x', 'a/b/c/y']);
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  });

  it('is refused below a file, and in a file system without new folders, and not tried for ever', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file', 'x'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    expect(() => makeFolder('/proc/vitrine/a/b')).toThrow(expect.objectContaining({ code: expect.stringMatching(/^E/) }));
  });
});
