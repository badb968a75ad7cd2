import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const GIB = 1024 ** 3;
/** A file system that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * GIB;
const SPARE_MEMORY_BYTES = 4 * GIB;

/**
 * A fresh folder for a server's data: in memory where there is room. A disk that is busy makes servers wait, and holds one that was killed in the middle of
 * a write, with its connections: a test of a server that dies would see one that hangs. Torture runs store more, and have the disk for themselves.
 */
export async function dataFolder(): Promise<string> {
  const isSmall = process.env['VITRINE_TORTURE'] !== '1';
  return mkdtemp(join(isSmall && (await isMemoryAtHand()) ? IN_MEMORY : tmpdir(), 'vitrine-mongod-'));
}

async function isMemoryAtHand(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= SPARE_MEMORY_BYTES;
  } catch {
    return false;
  }
}
