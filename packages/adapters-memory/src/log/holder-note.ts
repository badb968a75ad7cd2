import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quotable } from '@vitrine/core';

/** Beside LevelDB's own files. LevelDB's lock says that a folder is in use, and this note by whom. It means nothing while the lock is free. */
const HOLDER_NOTE = 'vitrine.holder';
const LONGEST = 255;

/** Who has the folder open; `null`: not known. */
export async function readHolder(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, HOLDER_NOTE), 'utf8').catch(() => '');
  return text === '' ? null : quotable(text.slice(0, LONGEST));
}

/** Notes who has opened the folder, or nobody: then no note of an earlier process stays. A disk that is full is no failure. */
export async function noteHolder(folder: string, holder: string | null): Promise<void> {
  const file = join(folder, HOLDER_NOTE);
  await (holder === null ? rm(file, { force: true }) : writeFile(file, holder)).catch(() => undefined);
}
