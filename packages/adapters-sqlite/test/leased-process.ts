import { setTimeout as sleep } from 'node:timers/promises';
import { LostLeaseError } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { acknowledge } from './acknowledge.js';

/** Writes under a lease until it has lost it. Prints the number of each acknowledged write, and `lost` at the end. */
async function main([folder = '', lastsMs = '']: readonly string[]): Promise<void> {
  const context = { signal: new AbortController().signal };
  const store = await openSqliteStore({ clock: { now: () => NOW }, path: folder });
  const lease = await store.acquireLease({ holder: 'first', lastsMs: Number(lastsMs), ...context });
  const writer = store.writerUnder(lease);
  try {
    for (let number = 1; ; number++) {
      await writer.put([aCommit({ sha: `a${String(number)}f`.padEnd(40, '0') })], context);
      acknowledge(String(number));
      // Otherwise it is nearly always inside a transaction.
      if (number % 2 === 0) await sleep(20);
    }
  } catch (error) {
    acknowledge(error instanceof LostLeaseError ? 'lost' : String(error));
  }
  await store.close();
}

void main(process.argv.slice(2));
