import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: to a hidden file in the same folder, which is then put in place. Rejects with the error of the operating system.
 *
 * @param place `link` never replaces a file and rejects with `EEXIST` instead; `rename`, the default, replaces it
 */
export async function writeWhole(path: string, text: string, place: (from: string, to: string) => Promise<void> = rename): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
