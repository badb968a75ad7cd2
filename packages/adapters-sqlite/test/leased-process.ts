import { setTimeout as sleep } from 'node:timers/promises';
import { LostLeaseError } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { acknowledge } from './acknowledge.js';

/** Of the time, so that it is outside of a transaction mostly, however slow the machine is. */
const PAUSE_OF_WRITE = 4;
/** Longer than any test. */
const NEVER_MS = 3_600_000;

/**
 * Writes under a lease until it has lost it, or so often, and then keeps it. Prints the number of each acknowledged write, and `lost` at the end.
 */
async function main([folder = '', lastsMs = '', most = 'Infinity']: readonly string[]): Promise<void> {
  const context = { signal: new AbortController().signal };
  const store = await openSqliteStore({ clock: { now: () => NOW }, path: folder });
  const lease = await store.acquireLease({ holder: 'first', lastsMs: Number(lastsMs), ...context });
  const writer = store.writerUnder(lease);
  try {
    for (let number = 1; number <= Number(most); number++) {
      const startedAt = performance.now();
      await writer.put([aCommit({ sha: `a${String(number)}f`.padEnd(40, '0') })], context);
      acknowledge(String(number));
      if (number % 2 === 0) await sleep(Math.max(20, PAUSE_OF_WRITE * (performance.now() - startedAt)));
    }
    await sleep(NEVER_MS);
  } catch (error) {
    acknowledge(error instanceof LostLeaseError ? 'lost' : String(error));
  }
  await store.close();
}

void main(process.argv.slice(2));
