import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { EntryTotals } from './entry-sums.js';

/** A file next to LevelDB's own files. LevelDB ignores it because of its name. */
const CLOSING_NOTE = 'vitrine.closed';

/**
 * Reads what a log contained when it was closed normally. If the end of LevelDB's write-ahead log is damaged, LevelDB assumes a crash and silently drops it.
 * This note makes such a loss visible. While the log is open for writing, there is no note, because it would be wrong after a crash.
 */
export async function readClosingNote(folder: string): Promise<EntryTotals | null> {
  const text = await readFile(join(folder, CLOSING_NOTE), 'utf8').catch(() => '');
  const [checksum, totals = ''] = text.split(' ', 2);
  // A note that cannot be decoded is ignored.
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

/** Error codes of a failing disk. Some platforms cannot open or sync a directory and report another code. They keep the order of writes by themselves. */
const DISK_FAILURES: readonly unknown[] = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** Resolves when the removal of the note is durable. */
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
