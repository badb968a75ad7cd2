// Runs the suites against the tree in the folder given, one argument after it for each suite; exits 1 at the first case that fails.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { leakyReaderCases } from './leaky-readers.mjs';

const [folder, ...suites] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const load = (file) => require(join(folder, file));
const core = load('node_modules/@vitrine/core/index.js');
const testing = load('node_modules/@vitrine/core/testing/index.js');

// The scopes that a query without a scope condition would read: all scopes of the suites.
globalThis.everyScope = [
  'acme/widget',
  'acme/gadget',
  'acme/another',
  'acme/secret',
  'acme/widget#7',
  'acme/widget#9',
  'acme/aaa',
  'other/hidden',
  '-',
];
globalThis.everyRef = globalThis.everyScope.filter((scope) => scope !== '-');

async function portCases() {
  const { openMemoryStore } = load('memory/index.js');
  const options = { open: (clock) => openMemoryStore({ clock }), context: { signal: new AbortController().signal }, seed: 1, runs: 2 };
  return testing.storeContract(options);
}

const cases = [...(suites.includes('ports') ? await portCases() : []), ...(suites.includes('gates') ? leakyReaderCases(core, testing) : [])];
// From the end, because the last cases find the most in the least time.
for (const { name, run } of cases.toReversed()) {
  try {
    await run();
  } catch (error) {
    process.stdout.write(`${name}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}\n`);
    process.exit(1);
  }
}
process.stdout.write(`${String(cases.length)} cases passed\n`);
