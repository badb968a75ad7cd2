import { existsSync } from 'node:fs';
import { link, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Follows the name of the file in the names of folders in which it is made. */
const UNFINISHED = '.new-';

/** Whether a name belongs to something that is not finished, or that a killed process has left. */
export function isUnfinished(name: string, fileName: string): boolean {
  return name.startsWith(`${fileName}${UNFINISHED}`);
}

/** Creates a file, for this user only, that appears under its name when it is finished. Rejects with `EEXIST` if there is one by then. @param fill gets the path of an empty file */
export async function createFinished(file: string, fill: (path: string) => void | Promise<void>): Promise<void> {
  if (existsSync(file)) throw existing(file);
  const folder = dirname(file);
  const own = await mkdtemp(`${file}${UNFINISHED}`);
  try {
    const made = join(own, basename(file));
    await (await open(made, 'wx', 0o600)).close();
    await fill(made);
    await synced(made);
    await putInPlace(made, file);
    await synced(folder).catch(() => undefined);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Removes what killed processes have left. Call this when the file exists: then a process that makes another one does not need it. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  const names = (await readdir(folder)).filter((name) => isUnfinished(name, basename(file)));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function putInPlace(made: string, file: string): Promise<void> {
  try {
    await link(made, file);
  } catch (error) {
    if (existsSync(file)) throw existing(file);
    // Some file systems have no links.
    await rename(made, file).catch(() => {
      throw error;
    });
  }
}

function existing(file: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, '${file}'`), { code: 'EEXIST' });
}

/** Makes the content of a file durable, or the names in a folder. Some file systems cannot do this with folders, and need not. */
async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
