import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasEnded, type HolderProcess, ownProcess, storedProcess } from '../lease/lease-table.js';

const PREFIX = 'vitrine-store-';
/** The first file names the process. The store is in a folder beside it, because a data folder may contain only the files of a store. */
const [HOLDER, STORE] = ['process.json', 'store'];
const OWNER_ONLY = 0o600;

const swept = new Set<string>();

/** Creates a folder for the files of a store that ends with this process. The first call removes those of processes that were killed. */
export async function temporaryFolder(root = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(root, PREFIX));
  const own = ownProcess();
  await writeFile(join(folder, HOLDER), JSON.stringify(own), { mode: OWNER_ONLY });
  if (!swept.has(root)) await removeAbandoned(root, folder, own).catch(() => undefined);
  swept.add(root);
  return join(folder, STORE);
}

/** Also removes the folder around it. @param folder from {@link temporaryFolder} */
export async function removeTemporary(folder: string): Promise<void> {
  await rm(dirname(folder), { recursive: true, force: true });
}

async function removeAbandoned(root: string, ownFolder: string, own: HolderProcess): Promise<void> {
  const { uid } = await lstat(ownFolder);
  for (const name of await readdir(root)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(root, name);
    const holder = await holderOf(folder, uid).catch(() => null);
    if (hasEnded(holder, own)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The process that made a folder; `null` if it is unknown, and for folders of other users. */
async function holderOf(folder: string, uid: number) {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid) return null;
  return storedProcess(await readFile(join(folder, HOLDER), 'utf8'));
}
