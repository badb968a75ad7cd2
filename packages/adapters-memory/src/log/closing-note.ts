import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { EntryTotals } from './entry-sums.js';

/** Beside LevelDB's own files, which it tells by their names. */
const CLOSING_NOTE = 'vitrine.closed';

/**
 * What a log held when it was closed in order. LevelDB takes a damaged end of its write-ahead log for a crash, and forgets it without a word; with
 * this note the loss shows. It is gone while the log is written to, because after a crash it would not be true.
 */
export async function readClosingNote(folder: string): Promise<EntryTotals | null> {
  const text = await readFile(join(folder, CLOSING_NOTE), 'utf8').catch(() => '');
  const [checksum, totals = ''] = text.split(' ', 2);
  // A note that is itself unreadable says nothing.
  return checksum === String(crc32(totals)) ? (JSON.parse(totals) as EntryTotals) : null;
}

export async function writeClosingNote(folder: string, totals: EntryTotals): Promise<void> {
  const text = JSON.stringify({ entries: totals.entries, sum: totals.sum });
  const draft = join(folder, `${CLOSING_NOTE}.new`);
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${String(crc32(text))} ${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, CLOSING_NOTE));
}

/** What a disk that fails says; some platforms cannot open or sync a directory, say so otherwise, and keep its order by themselves. */
const DISK_FAILURES: readonly unknown[] = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** Resolves when the note is durably gone. */
export async function removeClosingNote(folder: string): Promise<void> {
  await rm(join(folder, CLOSING_NOTE), { force: true });
  const directory = await open(folder, 'r').catch(unlessDiskFails);
  try {
    await directory?.sync().catch(unlessDiskFails);
  } finally {
    await directory?.close();
  }
}

function unlessDiskFails(error: unknown): null {
  if (DISK_FAILURES.includes(typeof error === 'object' && error !== null && 'code' in error ? error.code : null)) throw error;
  return null;
}
