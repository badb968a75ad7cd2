import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, TemporaryFolder } from '../../../test/git/temporary-repository.js';
import { openFolder } from './local-repository.js';

const SOMEBODY = 65_534;
const options = { environment: bareEnvironment('/nonexistent'), timeoutMs: 10_000, signal: new AbortController().signal };

/** Makes a call without the permissions of root. */
async function asSomebody<Result>(call: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(SOMEBODY);
  try {
    return await call();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('openFolder', () => {
  it('says that a folder may not be read, or is below one that may not be read', async () => {
    const folder = new TemporaryFolder();
    const locked = join(folder.path, 'locked');
    mkdirSync(join(locked, 'inner'), { recursive: true });
    chmodSync(folder.path, 0o755);
    chmodSync(locked, 0);
    for (const path of [locked, join(locked, 'inner')])
      await expect(asSomebody(() => openFolder(path, options))).rejects.toThrow(
        `"${path}" may not be read by this user: change the permissions of the folder, or of one above it`,
      );
    chmodSync(locked, 0o700);
    folder.remove();
  });
});
