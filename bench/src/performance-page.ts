import type { MeasuredGroup, MeasuredGroups } from './figures-file.js';
import type { Figure } from './measure.js';

const INTRODUCTION = `# Performance

Each table names the commit, the machine and the command that measures its rows again. \`npm run bench -- --write\` measures all of them and writes
this page from \`bench/figures.json\`. A missing table means that the group was not measured since the last change. Machines differ and are noisy:
ratios hold better than milliseconds.

"Asked for the first time" means that the process has never answered the same query before. Every benchmark compares the answers with what is
stored, and fails if one is wrong. The operating system has the stored files in memory, so the speed of the disk does not matter.
`;

export const TABLE_HEAD = ['| What | Measured | To reach | |', '|---|---|---|---|'] as const;

/** The text of docs/performance.md. Groups without figures are left out. */
export function performancePage(names: readonly string[], measured: MeasuredGroups): string {
  const sections = names.flatMap((name) => {
    const group = measured[name];
    return group === undefined ? [] : [section(name, group)];
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function section(name: string, { commit, machine, command, note, figures }: MeasuredGroup): string {
  const origin = `Commit \`${commit.slice(0, 10)}\`; ${machine}; \`${command}\``;
  return `## ${name}\n\n${origin}\n\n${note === undefined ? '' : `${note}\n\n`}${[...TABLE_HEAD, ...figures.map(tableRow)].join('\n')}\n`;
}

export function tableRow({ what, value, unit, reach, holds, missing = '' }: Figure): string {
  if (value === null) return `| ${what} | not measured: ${missing} | ${reach} | **not measured** |`;
  return `| ${what} | ${String(Number(value.toPrecision(3)))} ${unit} | ${reach} | ${holds ? 'reached' : '**missed**'} |`;
}
