import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Random } from '@vitrine/core/testing';
import { eventOf } from './child-process.js';
import { elementOf } from './element-of.js';

const WORDS =
  'store reader commit branch page cursor window check service state policy record source adapter index value token match order day hour'.split(' ');
const TYPES = ['feat', 'fix', 'docs', 'test', 'refactor', 'perf', 'chore'];
const FOLDERS = [
  'src/domain',
  'src/policies',
  'src/ports',
  'src/use-cases/list',
  'src/use-cases/get',
  'test/unit',
  'test/api',
  'docs/guides',
  'web/pages',
  'scripts',
];
const START = 1_500_000_000;

type Next = (below: number) => number;

const pick = (next: Next, from: readonly string[]): string => elementOf(from, next(from.length));

function line(next: Next): string {
  return `  const ${pick(next, WORDS)}${next(1000)} = ${pick(next, WORDS)}(${next(100)}, ${pick(next, WORDS)});`;
}

class World {
  readonly files = new Map<string, string[]>();
  readonly next: Next;
  #count = 0;

  constructor(seed: number) {
    const random = new Random(seed);
    this.next = (below) => random.int(below);
  }

  add(): string {
    const path = `${pick(this.next, FOLDERS)}/${pick(this.next, WORDS)}/${pick(this.next, WORDS)}-${this.#count++}.ts`;
    this.files.set(
      path,
      Array.from({ length: 20 + this.next(180) }, () => line(this.next)),
    );
    return path;
  }

  edit(): string {
    const path = pick(this.next, [...this.files.keys()]);
    const lines = this.linesOf(path);
    for (let hunks = 1 + this.next(3); hunks > 0; hunks--)
      lines.splice(this.next(lines.length), this.next(4), ...Array.from({ length: this.next(6) }, () => line(this.next)));
    if (lines.length === 0) lines.push(line(this.next));
    return path;
  }

  linesOf(path: string): string[] {
    const lines = this.files.get(path);
    if (lines === undefined) throw new Error(`there is no file ${path}`);
    return lines;
  }
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function modify(world: World, path: string): string {
  return `M 100644 inline ${path}\n${data(`${world.linesOf(path).join('\n')}\n`)}`;
}

function changes(world: World, number: number): string {
  if (number === 1) return Array.from({ length: 400 }, () => modify(world, world.add())).join('');
  const out = [];
  for (let edits = 1 + world.next(4); edits > 0; edits--) out.push(modify(world, world.edit()));
  if (world.next(5) === 0 && world.files.size < 3_000) out.push(modify(world, world.add()));
  if (world.next(40) === 0) {
    const old = world.edit();
    const lines = world.linesOf(old);
    world.files.delete(old);
    const path = `${old.slice(0, old.lastIndexOf('/') + 1)}moved-${number}.ts`;
    world.files.set(path, lines);
    out.push(`R ${old} ${path}\n`);
  }
  return out.join('');
}

function message(world: World, number: number): string {
  const word = () => pick(world.next, WORDS);
  const title = `${pick(world.next, TYPES)}(${word()}): ${word()} of the ${word()} ${number}`;
  return world.next(2) === 0 ? title : `${title}\n\nWhy: the ${word()} had no ${word()}.\n\nCo-authored-by: Somebody Else <else@example.com>\n`;
}

/** Makes one commit on the main line. Every twentieth one merges a side commit. */
function commit(world: World, number: number, person: string): string {
  const parent = number > 1 ? `from :${number - 1}\n` : '';
  const merged = number % 20 === 10 ? `merge :${number - 7}\n` : '';
  const head = `commit refs/heads/main\nmark :${number}\nauthor ${person}\ncommitter ${person}\n`;
  return `${head}${data(message(world, number))}${parent}${merged}${changes(world, number)}\n`;
}

function refs(number: number, person: string): string {
  const branch = number % 20 === 0 ? `reset refs/heads/topic-${number % 400}\nfrom :${number}\n\n` : '';
  const version = `1.${number / 200}.0`;
  const tag = number % 200 === 0 ? `tag v${version}\nfrom :${number}\ntagger ${person}\n${data(`Version ${version}\n\nNotes of the release.`)}` : '';
  return branch + tag;
}

/** Commits per branch that is not merged. */
export const WORK_COMMITS = 6;
/** One of this many branches is merged as a single commit. */
export const SQUASHED_EVERY = 3;

/** A branch from this commit of the main line with commits of two types. Every third one is then made again on the main line as one commit, which takes the place of the commit. */
function work(branch: number, number: number, person: string): string {
  const head = (ref: string, text: string) =>
    `commit refs/heads/${ref}\n${ref === 'main' ? `mark :${number}\n` : ''}author ${person}\ncommitter ${person}\n${data(text)}`;
  const from = `from :${number}\n`;
  const files = Array.from(
    { length: WORK_COMMITS },
    (_, index) => `M 100644 inline work/${branch}/${index}.ts\n${data(`export const value = ${branch};\n`)}`,
  );
  // Without from, a commit follows the one before on its branch.
  const commits = files.map(
    (file, index) => `${head(`work-${branch}`, `${index % 2 === 0 ? 'feat' : 'fix'}: part ${index} of ${branch}`)}${index === 0 ? from : ''}${file}`,
  );
  const squash = branch % SQUASHED_EVERY === 0 ? [`${head('main', `feat: work ${branch}`)}${from}${files.join('')}`] : [];
  return [...commits, ...squash].map((text) => `${text}\n`).join('');
}

function* script(commits: number, branches: number): Generator<string> {
  const world = new World(7);
  const distance = branches === 0 ? Infinity : Math.floor(commits / branches);
  for (let number = 1; number <= commits; number++) {
    const person = `Person ${world.next(60)} <person@example.com> ${START + number * 3_000} +0000`;
    yield commit(world, number, person) + refs(number, person);
    if (number % distance === 0 && number / distance <= branches) yield work(number / distance, number, person);
  }
}

/**
 * Creates a bare repository with the given number of commits on its main line. It has trees of up to 3,000 files, renames, merges, branches and annotated tags, and is
 * the same every time.
 *
 * @param branches the number of branches that are not merged
 */
export async function generateGitRepository(folder: string, commits: number, branches = 0): Promise<void> {
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--depth=50'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const done = eventOf(child, 'close');
  for (const part of script(commits, branches)) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = await done;
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const [code] = await eventOf(spawn(command, [...args], { stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
}
