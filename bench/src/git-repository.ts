import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Random } from '@vitrine/core/testing';
import { elementOf } from './measure.js';

const WORDS =
  'store reader commit branch page cursor window check service state policy record source adapter index value token match order day hour'.split(' ');
const TYPES = ['feat', 'fix', 'docs', 'test', 'refactor', 'perf', 'chore'];
const FOLDERS = 'src/domain src/policies src/ports src/use-cases/list src/use-cases/get test/unit test/api docs/guides web/pages'.split(' ');
const FIRST_FILES = 400;
const MOST_FILES = 3_000;
const START = 1_500_000_000;

/** Commits per branch that is not merged. */
export const WORK_COMMITS = 6;
/** One of this many branches is merged as a single commit. */
export const SQUASHED_EVERY = 3;

const random = new Random(7);
const below = (count: number): number => random.int(count);
const pick = (from: readonly string[]): string => elementOf(from, below(from.length));
const word = (): string => pick(WORDS);
const lines = (count: number): string[] =>
  Array.from({ length: count }, () => `  const ${word()}${below(1000)} = ${word()}(${below(100)}, ${word()});`);

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** The changes of commits to a tree of files, as `git fast-import` reads them. */
class Tree {
  readonly #files = new Map<string, string[]>();

  changesOf(commit: number): string {
    if (commit === 1) return Array.from({ length: FIRST_FILES }, () => this.#add()).join('');
    const edits = Array.from({ length: 1 + below(4) }, () => this.#edit());
    if (below(5) === 0 && this.#files.size < MOST_FILES) edits.push(this.#add());
    if (below(40) === 0) edits.push(this.#move(commit));
    return edits.join('');
  }

  #add(): string {
    const path = `${pick(FOLDERS)}/${word()}/${word()}-${this.#files.size}-${below(1_000_000)}.ts`;
    return this.#write(path, lines(20 + below(180)));
  }

  #edit(): string {
    const [path, text] = this.#someFile();
    for (let hunks = 1 + below(3); hunks > 0; hunks--) text.splice(below(text.length), below(4), ...lines(below(6)));
    return this.#write(path, text.length === 0 ? lines(1) : text);
  }

  #move(commit: number): string {
    const [old, text] = this.#someFile();
    const path = `${old.slice(0, old.lastIndexOf('/') + 1)}moved-${commit}.ts`;
    this.#files.delete(old);
    this.#files.set(path, text);
    return `R ${old} ${path}\n`;
  }

  #someFile(): readonly [string, string[]] {
    return elementOf([...this.#files], below(this.#files.size));
  }

  #write(path: string, text: string[]): string {
    this.#files.set(path, text);
    return `M 100644 inline ${path}\n${data(`${text.join('\n')}\n`)}`;
  }
}

function message(number: number): string {
  const title = `${pick(TYPES)}(${word()}): ${word()} of the ${word()} ${number}`;
  return below(2) === 0 ? title : `${title}\n\nWhy: the ${word()} had no ${word()}.\n\nCo-authored-by: Somebody Else <else@example.com>\n`;
}

const head = (branch: string, mark: string, person: string, text: string): string =>
  `commit refs/heads/${branch}\n${mark}author ${person}\ncommitter ${person}\n${data(text)}`;

/** One commit on the main line, with the branches and tags that point to it. Every twentieth one merges an earlier commit again. */
function mainCommit(tree: Tree, number: number, person: string): string {
  const parents = (number > 1 ? `from :${number - 1}\n` : '') + (number % 20 === 10 ? `merge :${number - 7}\n` : '');
  const branch = number % 20 === 0 ? `reset refs/heads/topic-${number % 400}\nfrom :${number}\n\n` : '';
  const notes = data(`Version ${number / 200}\n\nNotes of the release.`);
  const tag = number % 200 === 0 ? `tag v1.${number / 200}.0\nfrom :${number}\ntagger ${person}\n${notes}` : '';
  return `${head('main', `mark :${number}\n`, person, message(number))}${parents}${tree.changesOf(number)}\n${branch}${tag}`;
}

/** A branch from this commit of the main line with commits of two types. Some are then made again on the main line as one commit, which takes the place of the commit. */
function workBranch(branch: number, number: number, person: string): string {
  const from = `from :${number}\n`;
  const value = data(`export const value = ${branch};\n`);
  const files = Array.from({ length: WORK_COMMITS }, (_, part) => `M 100644 inline work/${branch}/${part}.ts\n${value}`);
  // Without from, a commit follows the one before on its branch.
  const commits = files.map((file, part) => {
    const text = `${part % 2 === 0 ? 'feat' : 'fix'}: part ${part} of ${branch}`;
    return `${head(`work-${branch}`, '', person, text)}${part === 0 ? from : ''}${file}\n`;
  });
  if (branch % SQUASHED_EVERY === 0) commits.push(`${head('main', `mark :${number}\n`, person, `feat: work ${branch}`)}${from}${files.join('')}\n`);
  return commits.join('');
}

function* history(commits: number, branches: number): Generator<string> {
  const tree = new Tree();
  const distance = branches === 0 ? Infinity : Math.floor(commits / branches);
  for (let number = 1; number <= commits; number++) {
    const person = `Person ${below(60)} <person@example.com> ${START + number * 3_000} +0000`;
    yield mainCommit(tree, number, person);
    if (number % distance === 0 && number / distance <= branches) yield workBranch(number / distance, number, person);
  }
}

/** A bare repository, the same every time: trees of up to 3,000 files, renames, merges, tags. @param commits on its main line @param branches that are not merged */
export async function generateGitRepository(folder: string, commits: number, branches = 0): Promise<void> {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--depth=50'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const done = once(child, 'close');
  for (const part of history(commits, branches)) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = (await done) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
}
