import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startChild } from './child-process.js';
import { readFigures, writeFigures, type MeasuredGroup, type MeasuredGroups } from './figures-file.js';
import { groupOf, groups } from './groups.js';
import { machine } from './machine.js';
import type { Figure } from './measure.js';
import { performancePage, TABLE_HEAD, tableRow } from './performance-page.js';
import { WorkingTree } from './working-tree.js';

/*
 * `npm run bench` measures every group. `npm run bench -- lists search` measures only these groups, and `npm run bench -- pages` all groups whose names begin so. With `--write`,
 * the figures are written to docs/performance.md.
 */
const tree = new WorkingTree(fileURLToPath(new URL('../..', import.meta.url)));
const names = Object.keys(groups);
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  const asked = args.filter((argument) => argument !== '--write');
  const unknown = asked.filter((name) => !names.some((group) => isIn(group, name)));
  if (unknown.length > 0) {
    refuse(`There is no group ${unknown.join(', ')}. The groups are: ${names.join(', ')}.`);
    return;
  }
  const chosen = names.filter((group) => asked.length === 0 || asked.some((name) => isIn(group, name)));
  if (args.includes('--write')) await measureAndWrite(chosen);
  else await measureAll(chosen);
}

/** `http` selects the group of this name. `pages` is not a group, so it selects all groups whose names begin with it. */
function isIn(group: string, name: string): boolean {
  return names.includes(name) ? group === name : group.startsWith(`${name}-`);
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}

/** The files that `--write` changes. */
const WRITTEN = ['docs/performance.md', 'bench/figures.json'] as const;

/** Figures belong to a commit, so all code must be committed, also when they are measured. */
function isCommitted(): boolean {
  const changes = tree.changes(...WRITTEN);
  if (changes.length > 0)
    refuse(`Some files are not committed. Commit them first, because each row names the commit it measures:\n${changes.join('\n')}`);
  return changes.length === 0;
}

async function measureAndWrite(chosen: readonly string[]): Promise<void> {
  if (!isCommitted()) return;
  const measured = { ...readFigures(), ...(await measureAll(chosen)) };
  if (!isCommitted()) return;
  writeFigures(measured);
  writeFileSync(new URL('../../docs/performance.md', import.meta.url), performancePage(names, measured));
}

async function measureAll(chosen: readonly string[]): Promise<MeasuredGroups> {
  const measured: Record<string, MeasuredGroup> = {};
  TABLE_HEAD.forEach(print);
  for (const name of chosen) {
    const figures = await figuresOf(name);
    figures.map(tableRow).forEach(print);
    if (figures.some(({ holds }) => !holds)) process.exitCode = 1;
    measured[name] = { commit: tree.head(), machine: await machine(groupOf(name)), command: `npm run bench -- ${name}`, figures };
  }
  return measured;
}

async function figuresOf(name: string): Promise<readonly Figure[]> {
  try {
    return (await startChild<readonly Figure[]>('measure-group.js', [name])).message;
  } catch (error) {
    throw new Error(`The benchmark "${name}" failed.`, { cause: error });
  }
}
