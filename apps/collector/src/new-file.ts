import { link } from 'node:fs/promises';
import { writeWhole } from '@vitrine/collector';
import { UsageError } from './usage-error.js';

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'exists. To replace it, add --force. To write another file, name it in VITRINE_CONFIG.'],
  ['ENOENT', 'cannot be written, because its folder does not exist. Create the folder, or name another file in VITRINE_CONFIG.'],
  ['ENOTDIR', 'cannot be written, because its folder does not exist. Create the folder, or name another file in VITRINE_CONFIG.'],
  ['EISDIR', 'is a folder. Name a file in VITRINE_CONFIG.'],
  ['EACCES', 'cannot be written. Name a file in VITRINE_CONFIG, in a folder that you may write.'],
  ['EROFS', 'cannot be written. Name a file in VITRINE_CONFIG, in a folder that you may write.'],
]);

/** Writes a file whole or not at all. Rejects with a {@link UsageError} if it exists and may not be replaced, or cannot be written. */
export async function writeNewFile(file: string, text: string, replaces: boolean): Promise<void> {
  try {
    await (replaces ? writeWhole(file, text) : writeWhole(file, text, link));
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? REASONS.get(error.code) : undefined;
    throw reason === undefined ? error : new UsageError(`${file} ${reason}`);
  }
}
