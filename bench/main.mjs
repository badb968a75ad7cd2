import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureGitSource } from './git-source.mjs';
import { hiddenWordFigures } from './hidden-words.mjs';
import { httpFigures } from './http-list.mjs';
import { atMost } from './measure.mjs';
import { ownHistoryFigures, largeStoreFigures } from './start.mjs';
import { listFigures, searchFigures, statusFigures } from './memory-store.mjs';
import { importFigures } from './records-import.mjs';
import { mongoListFigures } from './mongo.mjs';
import { mongoSearchFigures } from './mongo-queries.mjs';
import { mongoStatusFigures } from './mongo-status.mjs';
import { mongoWritingFigures } from './mongo-writing.mjs';

/** Every group of figures. `npm run bench -- lists search` measures only these, `mongo` all on MongoDB; `--write` puts all of them into docs/performance.md. */
const groups = {
  lists: listFigures,
  search: searchFigures,
  status: statusFigures,
  git: gitFigures,
  import: importFigures,
  http: httpFigures,
  start: ownHistoryFigures,
  'large-store': largeStoreFigures,
  'mongo-lists': mongoListFigures,
  'mongo-status': mongoStatusFigures,
  'mongo-search': mongoSearchFigures,
  'mongo-writing': mongoWritingFigures,
  'hidden-words': hiddenWordFigures,
};

if (process.send === undefined) await printAll();
else process.send(await groups[process.argv[2]](), () => process.disconnect());

async function printAll() {
  const { asked, writes } = wanted();
  const isAsked = (group) => asked.length === 0 || asked.some((name) => isIn(group, name));
  const lines = ['| What | Measured | To reach | |', '|---|---|---|---|'];
  const print = (line) => process.stdout.write(`${line}\n`);
  lines.forEach(print);
  for (const name of Object.keys(groups).filter(isAsked)) {
    for (const { what, value, unit, reach, holds } of await measured(name)) {
      const line = `| ${what} | ${Number(value.toPrecision(3))} ${unit} | ${reach} | ${holds ? 'reached' : '**missed**'} |`;
      if (!holds) process.exitCode = 1;
      lines.push(line);
      print(line);
    }
  }
  if (writes) writeFileSync(new URL('../docs/performance.md', import.meta.url), page(lines));
}

/** The names of the groups that were asked for, none meaning all, and whether to write them down. */
function wanted() {
  const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const writes = process.argv.includes('--write');
  const unknown = asked.filter((name) => !Object.keys(groups).some((group) => isIn(group, name)));
  if (unknown.length > 0) refuse(`There is no group ${unknown.join(', ')}; there are: ${Object.keys(groups).join(', ')}`);
  if (writes && asked.length > 0) refuse('--write replaces all rows of docs/performance.md, so it goes without the names of groups');
  return { asked, writes };
}

/** `mongo` names all groups that begin with it. */
function isIn(group, name) {
  return group === name || group.startsWith(`${name}-`);
}

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

/** Each group in a process of its own, so that none pays for what another left in memory. */
async function measured(name) {
  const child = fork(fileURLToPath(import.meta.url), [name]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`measuring ${name} ended with ${String(code)}`);
  });
  const [rows] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return rows;
}

async function gitFigures() {
  const { commits, ratio, peakNodeMb, nothingNewMs } = await measureGitSource();
  return [
    atMost(`git source, ${String(commits)} commits: wall time against the plain git log`, ratio, 'times', 1.3),
    atMost('the same: peak memory', peakNodeMb, 'MB', 350),
    atMost('git source, nothing new', nothingNewMs / 1_000, 's', 0.3),
  ];
}

function page(table) {
  return `# Performance

Printed by \`npm run bench -- --write\` on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}. Machines differ and are noisy:
ratios hold better than milliseconds. \`npm run bench -- lists\` measures one group.

${table.join('\n')}
`;
}
