import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

/** A real repository. Every commit is one minute after the one before. */
export class TemporaryRepository {
  readonly path: string;
  #minutes = 0;

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
    return this.#run(input, 'git', ['-C', this.path, ...args]);
  }

  /** A shell starts two programs for less than it costs this large process to start the second. */
  #run(input: string | Buffer, program: string, args: readonly string[]): string {
    const date = `${START + this.#minutes * 60} +0000`;
    const person = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: date };
    const identity = Object.entries(person).flatMap(([key, value]) => ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value] as const));
    const env = { ...bareEnvironment(this.path), ...NO_MAINTENANCE, GIT_ALLOW_PROTOCOL: 'file', ...Object.fromEntries(identity) };
    return execFileSync(program, args, {
      env,
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trimEnd();
  }

  /** Writes files, or removes those that are `null`, and commits; gives the sha. */
  commit(message: string, files: Readonly<Record<string, string | Buffer | null>> = {}): string {
    this.#minutes += 1;
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      if (content === null) rmSync(path);
      else writeFileSync(path, content);
    }
    const commit = ['commit', '--quiet', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '--file=-'];
    if (Object.keys(files).length === 0) this.gitWith(message, ...commit);
    else this.#run(message, 'sh', ['-c', 'git -C "$0" add --all && exec git -C "$0" "$@"', this.path, ...commit]);
    return this.#head();
  }

  /** What HEAD points at, without a program of git: where a commit was just made, its branch is a file. */
  #head(): string {
    const read = (name: string) => readFileSync(join(this.path, '.git', name), 'utf8').trim();
    const head = read('HEAD');
    return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
  }

  /** Stores a commit object exactly as given, after its tree and its parent, and lets a branch point at it; gives the sha. */
  oddCommit(branch: string, text: string | Buffer): string {
    const start = `tree ${this.git('rev-parse', 'HEAD^{tree}')}\nparent ${this.git('rev-parse', 'HEAD')}\n`;
    const sha = this.gitWith(Buffer.concat([Buffer.from(start), Buffer.from(text)]), 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally');
    this.git('update-ref', `refs/heads/${branch}`, sha);
    return sha;
  }
}
