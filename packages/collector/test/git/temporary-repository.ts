import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes when the test is over. */
export class TemporaryFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-git-')));

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** An environment in which git knows nothing of the machine's own configuration. */
export function bareEnvironment(home: string): Record<string, string | undefined> {
  return { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
}

const START = 1_700_000_000;

/** Else each commit starts two more programs, which look whether there is something to tidy up. */
const NO_MAINTENANCE = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
};

/** Empty repositories by the arguments of `git init`. To copy one takes less than to start git. */
const EMPTY = new Map<string, string>();

function emptyRepository(initArgs: readonly string[]): string {
  const kept = EMPTY.get(initArgs.join());
  if (kept !== undefined) return kept;
  const path = mkdtempSync(join(tmpdir(), 'vitrine-empty-'));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', '--template=', ...initArgs, path], { env: bareEnvironment(path) });
  mkdirSync(join(path, '.git/info'));
  EMPTY.set(initArgs.join(), path);
  return path;
}

type Files = Readonly<Record<string, string | Buffer | null>>;

/** They read or write the database of objects and the refs only. */
const WITHOUT_FILES: readonly (string | undefined)[] = [
  ...['branch', 'cat-file', 'clone', 'config', 'fast-import', 'for-each-ref', 'hash-object', 'log', 'pack-refs', 'remote', 'rev-list', 'rev-parse'],
  ...['symbolic-ref', 'tag', 'update-ref'],
];

/** A real repository. Every commit is one minute after the one before. One process of git writes all commits of a call; the working copy follows when a command needs it. */
export class TemporaryRepository {
  readonly path: string;
  #minutes = 0;
  #isStale = false;

  constructor(path: string, ...initArgs: readonly string[]) {
    this.path = path;
    cpSync(emptyRepository(initArgs), path, { recursive: true });
  }

  /** Runs git; gives what it prints, without the last line break. */
  git(...args: readonly string[]): string {
    return this.gitWith('', ...args);
  }

  /** The same with input. */
  gitWith(input: string | Buffer, ...args: readonly string[]): string {
    if (!WITHOUT_FILES.includes(args[0])) this.checkOut();
    return this.#run(input, args);
  }

  /** Brings the working copy up to date. */
  checkOut(): void {
    if (this.#isStale) this.#run('', ['reset', '--quiet', '--hard']);
    this.#isStale = false;
  }

  #run(input: string | Buffer, args: readonly string[]): string {
    const person = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: this.#date() };
    const identity = Object.entries(person).flatMap(([key, value]) => ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value] as const));
    const env = { ...bareEnvironment(this.path), ...NO_MAINTENANCE, GIT_ALLOW_PROTOCOL: 'file', ...Object.fromEntries(identity) };
    return execFileSync('git', ['-C', this.path, ...args], {
      env,
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trimEnd();
  }

  #date(): string {
    return `${START + this.#minutes * 60} +0000`;
  }

  /** Commits files, and removes those that are `null`; without files, commits what is staged. Gives the sha. */
  commit(message: string, files: Files = {}): string {
    const head = this.#head();
    if (Object.keys(files).length > 0 && head.startsWith('refs/')) {
      this.#isStale = true;
      return this.#import(head, isBorn(this.path, head) ? head : null, [[message, files]])[0] ?? '';
    }
    this.#minutes += 1;
    this.checkOut();
    for (const [name, content] of Object.entries(files)) {
      if (content === null) rmSync(join(this.path, name));
      else writeFileSync(join(this.path, name), content);
    }
    this.git('add', '--all');
    this.gitWith(message, 'commit', '--quiet', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '--file=-');
    return this.git('rev-parse', 'HEAD');
  }

  /** Creates a branch of the present commit with one commit for each message; HEAD stays. Gives the shas. */
  commitOn(branch: string, commits: Readonly<Record<string, Files>>): readonly string[] {
    return this.#import(`refs/heads/${branch}`, this.#head(), Object.entries(commits));
  }

  #import(ref: string, from: string | null, commits: readonly (readonly [message: string, files: Files])[]): readonly string[] {
    const parts = commits.flatMap(([message, files], index) => {
      this.#minutes += 1;
      const person = `Ada <ada@example.org> ${this.#date()}`;
      const parent = index > 0 ? `from :${String(index)}\n` : from === null ? '' : `from ${from}^0\n`;
      const start = `commit ${ref}\nmark :${String(index + 1)}\nauthor ${person}\ncommitter ${person}\n`;
      const changes = Object.entries(files).flatMap(([name, content]) => {
        const path = `"${name.replace(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
        return content === null ? [`D ${path}\n`] : [`M 100644 inline ${path}\n`, ...dataOf(content)];
      });
      return [start, ...dataOf(message), parent, ...changes, `get-mark :${String(index + 1)}\n`];
    });
    return this.#run(Buffer.concat(parts.map((part) => Buffer.from(part))), ['fast-import', '--quiet', '--force']).split('\n');
  }

  /** The ref that HEAD names; the commit of a detached HEAD. */
  #head(): string {
    return readFileSync(join(this.path, '.git', 'HEAD'), 'utf8')
      .trim()
      .replace(/^ref: /, '');
  }

  /** Stores a commit object exactly as given, after its tree and its parent, and lets a branch point at it; gives the sha. */
  oddCommit(branch: string, text: string | Buffer): string {
    const start = `tree ${this.git('rev-parse', 'HEAD^{tree}')}\nparent ${this.git('rev-parse', 'HEAD')}\n`;
    const sha = this.gitWith(Buffer.concat([Buffer.from(start), Buffer.from(text)]), 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally');
    this.git('update-ref', `refs/heads/${branch}`, sha);
    return sha;
  }
}

function isBorn(path: string, ref: string): boolean {
  const packed = join(path, '.git/packed-refs');
  return existsSync(join(path, '.git', ref)) || (existsSync(packed) && readFileSync(packed, 'utf8').includes(` ${ref}\n`));
}

function dataOf(content: string | Buffer): readonly (string | Buffer)[] {
  const bytes = Buffer.from(content);
  return [`data ${String(bytes.length)}\n`, bytes, '\n'];
}
