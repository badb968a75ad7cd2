'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A file system that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';
const GIB = 1024 ** 3;
const ROOM_BYTES = 2 * GIB;
const SPARE_MEMORY_BYTES = 4 * GIB;

/** Keeps its compiled files from one run to the next, in the place that the folder for temporary files would have. */
const compiledFiles = path.join(os.tmpdir(), `vitrine-jest-${process.getuid?.() ?? 0}`);

function isMemoryAtHand() {
  try {
    const { bavail, bsize } = fs.statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= SPARE_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** Calls a function with a new folder for the thousands of small files of tests, which is removed afterwards: in memory if there is room. */
async function withTestFolder(use) {
  const folder = fs.mkdtempSync(path.join(isMemoryAtHand() ? IN_MEMORY : os.tmpdir(), 'vitrine-tests-'));
  // Some tests become another user for a while.
  fs.chmodSync(folder, 0o755);
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A signal ends this process before the function has ended.
  process.once('exit', remove);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

module.exports = { compiledFiles, withTestFolder };
