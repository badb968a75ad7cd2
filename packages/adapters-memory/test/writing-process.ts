import { writeSync } from 'node:fs';
import { aCheck, aCommit, NOW } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore } from '../src/index.js';

/** Writes until it is killed. Prints the number of each acknowledged write. */
async function writeUntilKilled(folder: string, first: number): Promise<void> {
  const context = { signal: new AbortController().signal };
  const store = await openMemoryStore({ clock: { now: () => NOW }, log: await LevelRecordLog.open(folder) });
  for (let number = first; ; number++) {
    const commits = Array.from({ length: 1 + (number % 5) }, (_, index) => aCommit({ sha: `${String(number)}f${String(index)}`.padEnd(40, '0') }));
    await store.writer.put([...commits, aCheck({ checkedAt: NOW - number * 1_000 })], context);
    writeSync(1, `${String(number)}\n`);
  }
}

void writeUntilKilled(process.argv[2] ?? '', Number(process.argv[3]));
