import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GitObjects, type TreeEntry } from './git-objects.js';

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

/** Folders (null) and files of empty repositories, by the arguments of `git init`. To write them takes less than to start git. */
const EMPTY = new Map<string, ReadonlyMap<string, Buffer | null>>();

function emptyRepository(initArgs: readonly string[]): ReadonlyMap<string, Buffer | null> {
  const kept = EMPTY.get(initArgs.join());
  if (kept !== undefined) return kept;
  const folder = new TemporaryFolder();
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', '--template=', ...initArgs, folder.path], { env: bareEnvironment(folder.path) });
  mkdirSync(join(folder.path, '.git/info'));
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  const empty = new Map(names.map((name) => [name, statSync(join(folder.path, name)).isDirectory() ? null : readFileSync(join(folder.path, name))]));
  folder.remove();
  EMPTY.set(initArgs.join(), empty);
  return empty;
}

type Files = Readonly<Record<string, string | Buffer | null>>;

interface KnownCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly files: ReadonlyMap<string, TreeEntry>;
}

/** They read or write the database of objects and the refs only. */
const WITHOUT_FILES: readonly (string | undefined)[] = [
  ...['branch', 'cat-file', 'clone', 'config', 'fast-import', 'for-each-ref', 'hash-object', 'log', 'ls-tree', 'pack-refs', 'remote', 'rev-list'],
  ...['rev-parse', 'symbolic-ref', 'tag', 'update-ref'],
];

/**
 * A real repository. Every commit is one minute after the one before. Commits and plain commands about refs and settings are written into its files directly, because to start git takes most of
 * the time of such tests; git itself does everything else. The working copy follows when a command needs it.
 */
export class TemporaryRepository {
  readonly path: string;
  readonly #objects: GitObjects;
  readonly #commits = new Map<string, KnownCommit>();
  #minutes = 0;
  #isStale = false;

  constructor(path: string, ...initArgs: readonly string[]) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    for (const [name, content] of emptyRepository(initArgs)) {
      if (content === null) mkdirSync(join(path, name));
      else writeFileSync(join(path, name), content);
    }
    this.#objects = new GitObjects(this.#file('objects'), initArgs.includes('--object-format=sha256') ? 'sha256' : 'sha1');
  }

  /** Runs git, or does what git would do; gives what it prints, without the last line break. */
  git(...args: readonly string[]): string {
    return this.#withoutGit(args) ?? this.gitWith('', ...args);
  }

  /** Runs git with input. */
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

  /** Commits the files of the commit before with these changes, of which `null` removes a file. Gives the sha. */
  commit(message: string, files: Files = {}): string {
    const sha = this.#store(this.#resolve('HEAD'), message, files);
    this.#moveHead(sha);
    return sha;
  }

  /** Commits what a branch has changed, in other files than the present branch. @param isSquash whether the branch becomes no parent. Gives the sha. */
  merge(branch: string, message: string, isSquash = false): string {
    const [head = '', other = ''] = ['HEAD', branch].map((name) => this.#resolveCommit(name) ?? '');
    const ofOther = new Set(this.#ancestors(other));
    const before = this.#filesOf(this.#ancestors(head).find((sha) => ofOther.has(sha)) ?? '');
    const changed = [...this.#filesOf(other)].filter(([name, { id }]) => before.get(name)?.id !== id);
    this.#minutes += 1;
    const sha = this.#write(isSquash ? [head] : [head, other], message, new Map([...this.#filesOf(head), ...changed]));
    this.#moveHead(sha);
    return sha;
  }

  /** The commit and all before it, the nearest first. */
  #ancestors(sha: string): readonly string[] {
    const found = [sha];
    for (const one of found) found.push(...(this.#commits.get(one)?.parents ?? []));
    return found;
  }

  /** Commits what the working copy holds. Gives the sha. */
  commitWorkingCopy(message: string): string {
    this.#minutes += 1;
    this.git('add', '--all');
    this.gitWith(message, 'commit', '--quiet', '--cleanup=verbatim', '--file=-');
    return this.git('rev-parse', 'HEAD');
  }

  /** Creates a branch of the present commit with one commit for each message; HEAD stays. Gives the shas. */
  commitOn(branch: string, commits: Readonly<Record<string, Files>>): readonly string[] {
    let parent = this.#resolve('HEAD');
    const shas = Object.entries(commits).map(([message, files]) => (parent = this.#store(parent, message, files)));
    if (parent !== null) this.#point(`refs/heads/${branch}`, parent);
    return shas;
  }

  /** Stores a commit object exactly as given, after its tree and its parent, and lets a branch point at it; gives the sha. */
  oddCommit(branch: string, text: string | Buffer): string {
    const [tree, parent] = [this.git('rev-parse', 'HEAD^{tree}'), this.git('rev-parse', 'HEAD')];
    const sha = this.#objects.write('commit', Buffer.concat([Buffer.from(`tree ${tree}\nparent ${parent}\n`), Buffer.from(text)]));
    this.#point(`refs/heads/${branch}`, sha);
    return sha;
  }

  /** Stores a tag object of a commit exactly as given after its name, and lets the tag point at it. */
  tagObject(name: string, commit: string, text: string): void {
    this.#point(`refs/tags/${name}`, this.#objects.write('tag', Buffer.from(`object ${commit}\ntype commit\ntag ${name}\n${text}`)));
  }

  #store(parent: string | null, message: string, changes: Files): string {
    this.#minutes += 1;
    const files = new Map(parent === null ? [] : this.#filesOf(parent));
    for (const [name, content] of Object.entries(changes)) {
      if (content === null) files.delete(name);
      else files.set(name, { mode: '100644', id: this.#objects.write('blob', Buffer.from(content)) });
    }
    return this.#write(parent === null ? [] : [parent], message, files);
  }

  #write(parents: readonly string[], message: string, files: ReadonlyMap<string, TreeEntry>): string {
    const tree = this.#objects.writeTree(files);
    const person = `Ada <ada@example.org> ${this.#date()}`;
    const head = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`), `author ${person}`, `committer ${person}`];
    const sha = this.#objects.write('commit', Buffer.from(`${head.join('\n')}\n\n${message}`));
    this.#commits.set(sha, { tree, parents, files });
    return sha;
  }

  #filesOf(sha: string): ReadonlyMap<string, TreeEntry> {
    const known = this.#commits.get(sha);
    if (known !== undefined) return known.files;
    const listed = this.#run('', ['ls-tree', '-r', '-z', '--full-tree', sha]).split('\0').filter(Boolean);
    return new Map(
      listed.map((line) => {
        const [, mode = '', id = '', name = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
        return [name, { mode, id }];
      }),
    );
  }

  /** What git would print for a plain command about refs or settings; `null`: git has to be started. */
  #withoutGit([command, ...args]: readonly string[]): string | null {
    const [first = '', second = 'HEAD'] = args;
    const isShort = args.length <= 2 && args.length > 0 && !first.startsWith('-');
    if (first === '-m') return command === 'tag' ? this.#annotate(args.slice(1)) : null;
    if (['-D', '-d', '--delete', '--force'].includes(first)) return this.#changeRef(command, args);
    if (command === 'rev-parse') return args.length === 1 ? this.#resolve(first) : null;
    if (command === 'update-ref' && isShort) return this.#point(first, this.#resolve(second));
    if (command === 'tag' && isShort) return this.#point(`refs/tags/${first}`, this.#resolve(second));
    if (command === 'branch' && isShort) return this.#point(`refs/heads/${first}`, this.#resolveCommit(second));
    if (command === 'remote' && first === 'add') return this.#addRemote(args.slice(1));
    if (command === 'config' && first === '--add') return this.#configure(second, args[2] ?? '');
    if (command === 'checkout' && first === '--quiet') return this.#switch(args.slice(1));
    if (command === 'reset' && args.length === 3 && args[1] === '--hard') return this.#moveHead(this.#resolveCommit(args[2] ?? ''));
    return null;
  }

  #annotate([message = '', name = '', target = 'HEAD']: readonly string[]): string | null {
    const sha = this.#resolveCommit(target);
    if (sha === null) return null;
    this.tagObject(name, sha, `tagger Ada <ada@example.org> ${this.#date()}\n\n${message}\n`);
    return '';
  }

  /** Deletes or moves branches or tags. */
  #changeRef(command: string | undefined, [option, ...names]: readonly string[]): string | null {
    const folder = { branch: 'refs/heads/', tag: 'refs/tags/', 'update-ref': '' }[command ?? ''];
    const refs = names.map((name) => `${folder ?? ''}${name}`);
    if (folder === undefined) return null;
    if (option === '--force') return this.#point(refs[0] ?? '', this.#resolveCommit(names[1] ?? 'HEAD'));
    if (!refs.every((ref) => existsSync(this.#file(ref)))) return null;
    for (const ref of refs) rmSync(this.#file(ref));
    return '';
  }

  #addRemote([name = '', url = '']: readonly string[]): string {
    this.#configure(`remote.${name}.url`, url);
    return this.#configure(`remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
  }

  #configure(key: string, value: string): string {
    const [, section = '', part = '', name = ''] = /^(\w+)\.(?:(.+)\.)?([\w-]+)$/.exec(key) ?? [];
    appendFileSync(this.#file('config'), `[${section}${part === '' ? '' : ` "${part}"`}]\n\t${name} = ${JSON.stringify(value)}\n`);
    return '';
  }

  #switch([first = '', second = 'HEAD', third = 'HEAD']: readonly string[]): string | null {
    if (first === '--detach') return this.#head(this.#resolveCommit(second));
    if (first === '-b' && this.#point(`refs/heads/${second}`, this.#resolveCommit(third)) === null) return null;
    const ref = `refs/heads/${first === '-b' ? second : first}`;
    return this.#resolveCommit(ref) === null ? null : this.#head(`ref: ${ref}`);
  }

  #head(value: string | null): string | null {
    if (value === null) return null;
    writeFileSync(this.#file('HEAD'), `${value}\n`);
    this.#isStale = true;
    return '';
  }

  /** Lets the present branch, or a detached HEAD, be at this commit. */
  #moveHead(sha: string | null): string | null {
    const ref = this.#headRef();
    if (ref === null || sha === null) return this.#head(sha);
    this.#isStale = true;
    return this.#point(ref, sha);
  }

  #headRef(): string | null {
    return /^ref: (.*)$/m.exec(readFileSync(this.#file('HEAD'), 'utf8'))?.[1] ?? null;
  }

  #point(ref: string, sha: string | null): string | null {
    if (sha === null) return null;
    mkdirSync(dirname(this.#file(ref)), { recursive: true });
    writeFileSync(this.#file(ref), `${sha}\n`);
    return '';
  }

  /** The id that a simple name means; `null` if only git knows. */
  #resolve(name: string): string | null {
    const [, base = name, back, tree] = /^([^~^]+)(?:~(\d+)|(\^\{tree\}))?$/.exec(name) ?? [];
    let id = this.#read(base);
    for (let step = 0; step < Number(back ?? 0) && id !== null; step++) id = this.#commits.get(id)?.parents[0] ?? null;
    return tree === undefined || id === null ? id : (this.#commits.get(id)?.tree ?? null);
  }

  /** The same, but only for a commit that was made here. */
  #resolveCommit(name: string): string | null {
    const id = this.#resolve(name);
    return id !== null && this.#commits.has(id) ? id : null;
  }

  #read(name: string): string | null {
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return name;
    const refs = name === 'HEAD' ? [this.#headRef() ?? 'HEAD'] : name.startsWith('refs/') ? [name] : [`refs/tags/${name}`, `refs/heads/${name}`];
    const path = refs.map((ref) => this.#file(ref)).find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
    const [id] = path === undefined ? [] : (/^[0-9a-f]+$/m.exec(readFileSync(path, 'utf8')) ?? []);
    return id ?? null;
  }

  #file(name: string): string {
    return join(this.path, '.git', name);
  }
}
