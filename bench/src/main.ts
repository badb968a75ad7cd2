import { answerParent, startModule } from './processes.js';
import type { Figure } from './measure.js';
import { head, machine, TABLE_HEAD, tableRow, uncommitted, writeFigures, type MeasuredGroup } from './report.js';

// Measures groups, each in its own process, so that none is affected by the memory of another. With `--write`, the figures are written to docs/performance.md.

/** The groups in the order of the page. Each is a module of the folder `groups` that exports `figures`. */
const names: readonly string[] = [
  ...['git', 'findings', 'sources', 'http', 'http-cache', 'start', 'collector', 'site', 'sqlite-lists', 'pages-demo', 'pages-served', 'lighthouse'],
  ...['sqlite-search', 'sqlite-writing', 'sqlite-start', 'sqlite-status', 'mongo-lists', 'mongo-search', 'mongo-status', 'mongo-writing'],
];
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  if (process.send === undefined) await run(process.argv.slice(2));
  else answerParent(await figuresOf(process.argv[2] ?? ''));
} catch (error) {
  // In the process of a group, the place of a mistake is worth its lines.
  process.stderr.write(`${error instanceof Error ? ((process.send && error.stack) ?? error.message) : String(error)}\n`);
  // A group that has failed may leave stores and servers open.
  process.exit(1);
}

async function figuresOf(group: string): Promise<readonly Figure[]> {
  const { figures } = (await import(`./groups/${group}.js`)) as { readonly figures: () => Promise<readonly Figure[]> };
  return figures();
}

async function run(args: readonly string[]): Promise<void> {
  const asked = args.filter((argument) => argument !== '--write');
  const unknown = asked.filter((name) => !names.some((group) => isIn(group, name)));
  if (unknown.length > 0) throw new Error(`There is no group ${unknown.join(', ')}. The groups are: ${names.join(', ')}.`);
  const isWritten = args.includes('--write');
  if (isWritten) refuseChanges();
  const measured = await measureAll(names.filter((group) => asked.length === 0 || asked.some((name) => isIn(group, name))));
  if (!isWritten) return;
  refuseChanges();
  writeFigures(names, measured);
}

/** `http` selects the group of this name. `pages` is not a group, so it selects all groups whose names begin with it. */
function isIn(group: string, name: string): boolean {
  return names.includes(name) ? group === name : group.startsWith(`${name}-`);
}

function refuseChanges(): void {
  if (process.env['BENCH_COMMITS'] !== undefined) throw new Error('Figures of smaller stores are not written. Unset BENCH_COMMITS.');
  const changes = uncommitted();
  if (changes !== '') throw new Error(`Some files are not committed. Commit them first, because each row names the commit it measures:\n${changes}`);
}

async function measureAll(chosen: readonly string[]): Promise<Readonly<Record<string, MeasuredGroup>>> {
  const measured: Record<string, MeasuredGroup> = {};
  TABLE_HEAD.forEach(print);
  for (const name of chosen) {
    const { message: figures } = await startModule<readonly Figure[]>('main.js', [name]);
    figures.map(tableRow).forEach(print);
    if (figures.some(({ holds }) => !holds)) process.exitCode = 1;
    measured[name] = { commit: head(), machine: await machine(name), command: `npm run bench -- ${name}`, figures };
  }
  return measured;
}
