import { mkdir, stat, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { randomUUID } from 'node:crypto';

interface MakeFolderOptions {
  /** Of each new folder, less what the process does not allow. Default: all permissions. */
  readonly mode?: number;
  /** The data folder of the store, which is never created here. If it is missing, somebody has moved it, and a new one would be in the way when it is put back. */
  readonly dataFolder?: string | null;
}

/**
 * Creates a folder with its parents; what exists keeps its permissions. Rejects with the system's error. One by one: Node tries for ever where a file system refuses
 * parents, such as /proc.
 */
export async function makeFolder(folder: string, options: MakeFolderOptions = {}): Promise<void> {
  const { mode = 0o777, dataFolder = null } = options;
  if (folder === dataFolder) return void (await stat(folder));
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(folder), options);
    await mkdir(folder, { mode }).catch(async (failure: unknown) => {
      // Another process or call may have just made it.
      if (!(await isFolder(folder))) throw failure;
    });
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

export interface WriteWholeOptions {
  /** `link` never replaces a file and rejects with `EEXIST` instead; `rename`, the default, replaces it. */
  readonly place?: (from: string, to: string) => Promise<void>;
  /** Default: that of the process. */
  readonly mode?: number;
}

/** Writes a file whole or not at all: as a hidden file, which is then put in place. Rejects with the error of the operating system. @param content the text, or what writes it */
export async function writeWhole(
  path: string,
  content: string | ((handle: FileHandle) => Promise<void>),
  { place = rename, mode = 0o666 }: WriteWholeOptions = {},
): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await (typeof content === 'string' ? handle.writeFile(content) : content(handle));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(draft, path);
  } finally {
    // If the file could not be created, the removal fails too. Only the first error matters.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
