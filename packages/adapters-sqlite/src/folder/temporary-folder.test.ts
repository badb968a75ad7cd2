import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ownProcess } from '../lease/lease-table.js';
import { removeTemporary, temporaryFolder } from './temporary-folder.js';

describe('temporary folders', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vitrine-temporary-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function left(name: string, holder: string | null): string {
    const folder = join(root, name);
    mkdirSync(join(folder, 'store'), { recursive: true });
    writeFileSync(join(folder, 'store', 'vitrine.db'), 'x');
    if (holder !== null) writeFileSync(join(folder, 'process.json'), holder);
    return folder;
  }

  it('of processes that have certainly ended are removed when a process makes its first one', async () => {
    const { pid } = spawnSync('true');
    const ended = { ...ownProcess(), pid };
    const killed = left('vitrine-store-killed', JSON.stringify(ended));
    const kept = [
      left('vitrine-store-living', JSON.stringify(ownProcess())),
      left('vitrine-store-of-another-machine', JSON.stringify({ ...ended, host: 'elsewhere' })),
      left('vitrine-store-unknown', null),
      left('vitrine-store-damaged', '{"pid":'),
      left('something-else', JSON.stringify(ended)),
    ];
    symlinkSync(left('target', JSON.stringify(ended)), join(root, 'vitrine-store-link'));
    const made = await temporaryFolder(root);
    // Elsewhere than on Linux, nothing tells whether a process is the same.
    expect(existsSync(killed)).toBe(ownProcess().bootId === null);
    expect([...kept, join(root, 'target/process.json'), join(dirname(made), 'process.json')].filter((path) => !existsSync(path))).toEqual([]);
    await removeTemporary(made);
    expect(existsSync(dirname(made))).toBe(false);
  });
});
