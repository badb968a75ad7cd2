import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWholeFile } from './open-regular-file.js';

describe('readWholeFile', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    file = join(folder, 'file');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([0, 1, 65_535, 65_536, 200_000])('returns all of %i bytes', async (size) => {
    const content = Buffer.alloc(size, 'abc');
    writeFileSync(file, content);
    expect((await readWholeFile(file, size)).equals(content)).toBe(true);
  });

  it('rejects a file that is too large without reading it', async () => {
    writeFileSync(file, '');
    truncateSync(file, 2 ** 40);
    await expect(readWholeFile(file, 2 ** 20)).rejects.toThrow('is larger than 1 MB');
  });

  it('reads a file whose size the system does not report', async () => {
    expect((await readWholeFile('/proc/self/stat', 65_536)).length).toBeGreaterThan(10);
  });

  it('never waits for the writer of a pipe', async () => {
    execFileSync('mkfifo', [file]);
    await expect(readWholeFile(file, 1)).rejects.toThrow('is a pipe');
  });

  it('rejects folders, sockets and devices, also behind a link', async () => {
    await expect(readWholeFile(folder, 1)).rejects.toThrow('is a folder');
    symlinkSync('/dev/zero', file);
    await expect(readWholeFile(file, 1)).rejects.toThrow('is a device');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    await expect(readWholeFile(join(folder, 'socket'), 1)).rejects.toThrow('is a socket');
    await new Promise((resolve) => server.close(resolve));
  });
});
