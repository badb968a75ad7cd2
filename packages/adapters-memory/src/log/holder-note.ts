import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quotable } from '@vitrine/core';

/** A file next to LevelDB's own files. LevelDB's lock shows that a folder is in use, and this note shows by which process. Without the lock it means nothing. */
const HOLDER_NOTE = 'vitrine.holder';
const LONGEST = 255;

/** The process that has the folder open; `null` if unknown. */
export async function readHolder(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, HOLDER_NOTE), 'utf8').catch(() => '');
  return text === '' ? null : quotable(text.slice(0, LONGEST));
}

/** Writes the process that has opened the folder. `null` removes the note of an earlier process. A full disk is not an error. */
export async function noteHolder(folder: string, holder: string | null): Promise<void> {
  const file = join(folder, HOLDER_NOTE);
  await (holder === null ? rm(file, { force: true }) : writeFile(file, holder)).catch(() => undefined);
}
