import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { findMongod } from '@vitrine/test-support';
import type { Figure } from './measure.js';
import { root } from './processes.js';

export interface MeasuredGroup {
  readonly commit: string;
  readonly machine: string;
  /** The command that measures and prints the figures. */
  readonly command: string;
  readonly figures: readonly Figure[];
}

export type MeasuredGroups = Readonly<Record<string, MeasuredGroup>>;

/** The files that `--write` changes. */
const STORED = 'bench/figures.json';
const PAGE = 'docs/performance.md';

const INTRODUCTION = `# Performance

Each table names the commit, the machine and the command that measures its rows again. \`npm run bench -- --write\` measures all of them and writes
this page from \`bench/figures.json\`. A missing table means that the group was not measured since the last change. Machines differ and are noisy:
ratios hold better than milliseconds.

"Asked for the first time" means that the process has never answered the same query before. Every benchmark compares the answers with what is
stored, and fails if one is wrong. The operating system has the stored files in memory, so the speed of the disk does not matter.
`;

export const TABLE_HEAD = ['| What | Measured | To reach | |', '|---|---|---|---|'] as const;

export function readFigures(): MeasuredGroups {
  return JSON.parse(readFileSync(join(root, STORED), 'utf8')) as MeasuredGroups;
}

/** Stores the figures beside those of other groups. @param names all groups, in the order of the page */
export function writeFigures(names: readonly string[], measured: MeasuredGroups): void {
  const all = { ...readFigures(), ...measured };
  const known = Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
  writeFileSync(join(root, STORED), `${JSON.stringify(known, null, 2)}\n`);
  writeFileSync(join(root, PAGE), performancePage(known));
}

export function performancePage(measured: MeasuredGroups): string {
  const sections = Object.entries(measured).map(([name, { commit, machine, command, figures }]) => {
    const rows = [...TABLE_HEAD, ...figures.map(tableRow)].join('\n');
    return `## ${name}\n\nCommit \`${commit.slice(0, 10)}\`; ${machine}; \`${command}\`\n\n${rows}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

export function tableRow({ what, value, unit, reach, holds, missing = '' }: Figure): string {
  if (value === null) return `| ${what} | not measured: ${missing} | ${reach} | **not measured** |`;
  return `| ${what} | ${String(Number(value.toPrecision(3)))} ${unit} | ${reach} | ${holds ? 'reached' : '**missed**'} |`;
}

const git = (...args: readonly string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();

export const head = (): string => git('rev-parse', 'HEAD');

/** The files that are not committed, apart from those that `--write` changes. Figures belong to a commit. */
export const uncommitted = (): string => git('status', '--porcelain', '--', ':/', ...[STORED, PAGE].map((path) => `:(top,exclude)${path}`));

export async function machine(group: string): Promise<string> {
  const [first, ...others] = cpus();
  const cores = `${String(others.length + 1)} cores (${first?.model ?? 'unknown'})`;
  const parts = [cores, `${String(Math.round(totalmem() / 2 ** 30))} GiB`, `Node ${process.version}`];
  if (!group.startsWith('mongo-')) return parts.join(', ');
  const version = execFileSync(await findMongod(), ['--version'], { encoding: 'utf8' });
  return [...parts, `mongod ${/db version v(\S+)/u.exec(version)?.[1] ?? 'unknown'}`].join(', ');
}
