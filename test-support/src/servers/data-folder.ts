import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const GIB = 1024 ** 3;
/** A file system that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * GIB;
const SPARE_MEMORY_BYTES = 4 * GIB;

/**
 * A new folder for a server's data, in memory if there is room. On a busy disk, servers wait, and a server that is killed in the middle of a
 * write keeps its connections open: a test that kills a server would then see one that hangs. Torture runs store more, and use the disk.
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
