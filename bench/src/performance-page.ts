import type { MeasuredGroup, MeasuredGroups } from './figures-file.js';
import type { Figure } from './measure.js';

const INTRODUCTION = `# Performance

Each table names the commit whose code was measured, the machine, and the command that measures its rows again. \`npm run bench -- --write\` measures
all of them and writes this page from \`bench/figures.json\`. It refuses to write a row that is older than the code it measures. A group without a
table here was not measured since its code changed. Machines differ and are noisy: ratios hold better than milliseconds.

"Asked for the first time" means that the process has never answered the same query before. "Asked again" means that it has, so it may answer from
memory. Every benchmark compares the answers it times with what is stored, and ends with an error when one of them is wrong. What is
stored is in the memory of the operating system, so that the speed of a disk does not decide.
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
