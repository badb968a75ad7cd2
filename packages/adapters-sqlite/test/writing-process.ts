import { aCommit, aFinding, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { acknowledge } from './acknowledge.js';

/** Writes until it is killed, or until it has made the given number of writes. Prints the number of each acknowledged write. */
async function main([folder = '', name = '', first = '1', last = 'Infinity']: readonly string[]): Promise<void> {
  const context = { signal: new AbortController().signal };
  const store = await openSqliteStore({ clock: { now: () => NOW }, path: folder });
  for (let number = Number(first); number <= Number(last); number++) {
    const commits = Array.from({ length: 1 + (number % 40) }, (_, index) =>
      aCommit({ sha: `${name}${String(number)}f${String(index)}`.padEnd(40, '0') }),
    );
    await store.writer.put([...commits, aFinding({ id: `${name}${String(number)}` })], context);
    acknowledge(String(number));
  }
  await store.close();
}

void main(process.argv.slice(2));
