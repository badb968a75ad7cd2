import { randomBytes } from 'node:crypto';
import { lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from './folder-problem.js';

type EntryKind = 'none' | 'file' | 'folder' | 'other';

/** What is at a path. A symbolic link is `other`, wherever it leads. */
export async function kindOf(path: string): Promise<EntryKind> {
  try {
    const entry = await lstat(path);
    if (entry.isFile()) return 'file';
    return entry.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return 'none';
    throw error;
  }
}

const TEMPORARY = /^\.vitrine-site-[0-9a-f]{12}\.tmp$/;
/** Longer than any file takes, so that another run which is going on loses nothing. */
const LEFT_MS = 600_000;

/** Removes the temporary files of runs that were killed. */
export async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!TEMPORARY.test(name)) continue;
    const path = join(root, name);
    // Another run may have put it in its place by now.
    const writtenAt = await lstat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - writtenAt > LEFT_MS) await rm(path, { force: true });
  }
}

/** Writes a file under a temporary name and renames it, so that readers never see a part of it. @param root a folder of the same file system */
export async function replaceFile(root: string, file: string, content: Buffer | string): Promise<void> {
  const temporary = join(root, `.vitrine-site-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
