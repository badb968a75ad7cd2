import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface WriteWholeOptions {
  /** `link` never replaces a file and rejects with `EEXIST` instead; `rename`, the default, replaces it. */
  readonly place?: (from: string, to: string) => Promise<void>;
  /** Default: that of the process. */
  readonly mode?: number;
}

/**
 * Writes a file whole or not at all: to a hidden file in the same folder, which is then put in place. Rejects with the error of the operating system.
 *
 * @param content the text, or what writes it
 */
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
