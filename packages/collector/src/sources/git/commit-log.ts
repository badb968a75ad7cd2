import { type Instant, MAX_CHANGED_PATHS } from '@vitrine/core';
import { type Git, textOf, TokenSplitter } from './git.js';

const COMMIT = /^([0-9a-f]+) commit (\d+)$/;
const DATE = /> ?(-?\d+)(?: [+-]\d+)?$/;

/**
 * The dates of commits whose date git itself cannot print, such as one before 1970. They are read from the raw commit: the date of the committer, or else of the
 * author. A commit without a readable date is missing in the result.
 */
export async function readCommitDates(git: Git, shas: readonly string[]): Promise<Map<string, Instant>> {
  const dates = new Map<string, Instant>();
  if (shas.length === 0) return dates;
  const pieces: Buffer[] = [];
  const input = shas.map((sha) => `${sha}\n`);
  for await (const piece of git.stream(['cat-file', '--batch'], input)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const [, sha, size] = COMMIT.exec(bytes.toString('latin1', start, end)) ?? [];
    if (end < 0 || sha === undefined) break;
    const date = dateOf(bytes.subarray(end + 1, end + 1 + Number(size)));
    if (date !== null) dates.set(sha, date);
    start = end + 2 + Number(size);
  }
  return dates;
}

function dateOf(commit: Buffer): Instant | null {
  const header = commit.toString('latin1', 0, commit.indexOf('\n\n')).split('\n');
  for (const field of ['committer ', 'author ']) {
    const seconds = DATE.exec(header.find((line) => line.startsWith(field)) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return null;
}

/** A commit as git prints it. */
export interface RawCommit {
  readonly sha: string;
  readonly authorName: string;
  /** Seconds since 1970 as text; `""` if git cannot read the date. */
  readonly committed: string;
  /** The message up to its first NUL. */
  readonly message: string;
  readonly additions: number;
  readonly deletions: number;
  readonly filesChanged: number;
  /** At most {@link MAX_CHANGED_PATHS} paths. For a renamed file, its new path. */
  readonly changedPaths: readonly string[];
}

/** Each commit starts with an empty token. No path is empty, so nothing in a repository can look like the start of a commit. */
const FORMAT = '--format=%x00%H%x00%aN%x00%ct%x00%B';
const FIELDS = 4;
/** Which changes are read. The change of a merge is the difference to its first parent. */
export const CHANGED_BY = ['--diff-merges=first-parent', '--ignore-submodules=none'];
/** A plumbing command, whose output does not depend on the user's configuration. */
const WITH_CHANGES = [
  'diff-tree',
  '--stdin',
  '--always',
  '--root',
  '-r',
  '--numstat',
  '-M',
  ...CHANGED_BY,
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
];
/** Unlike `diff-tree`, this command reads no tree. */
const WITHOUT_CHANGES = ['log', '--stdin', '--no-walk=unsorted', '--no-patch', '--no-decorate', '--no-notes'];
const SHAS_PER_WRITE = 500;

/** Reads commits in the order of the shas. Without changes, it reads no trees. */
export async function* readCommits(git: Git, shas: readonly string[], withChanges: boolean): AsyncGenerator<RawCommit, void, undefined> {
  if (shas.length === 0) return;
  const args = [...(withChanges ? WITH_CHANGES : WITHOUT_CHANGES), '-z', '--encoding=UTF-8', FORMAT];
  const splitter = new TokenSplitter();
  const parser = new CommitParser();
  for await (const piece of git.stream(args, shaLines(shas))) {
    for (const token of splitter.push(piece)) {
      const commit = parser.take(token);
      if (commit !== null) yield commit;
    }
  }
  const last = parser.finish();
  if (last !== null) yield last;
}

/** The ids as input for git: one on each line. */
export function* shaLines(shas: readonly string[]): Generator<string, void, undefined> {
  for (let start = 0; start < shas.length; start += SHAS_PER_WRITE) yield `${shas.slice(start, start + SHAS_PER_WRITE).join('\n')}\n`;
}

type Numstat = Omit<RawCommit, 'sha' | 'authorName' | 'committed' | 'message'> & { readonly changedPaths: string[] };

/** Parses tokens: an empty one, the fields, then one token for each changed file, or three for a renamed file. */
class CommitParser {
  #fields: string[] | null = null;
  #change: { -readonly [Key in keyof Numstat]: Numstat[Key] } = noChange();
  /** The number of paths of a rename that are still expected: first the old one, then the new one. */
  #pathsToCome = 0;

  /** Processes a token. Returns a commit if this token shows that it is complete. */
  take(token: Buffer): RawCommit | null {
    if (this.#fields !== null && this.#fields.length < FIELDS) {
      this.#fields.push(textOf(token));
      return null;
    }
    if (token.length > 0) {
      this.#takeFile(token.toString('utf8').replace(/^\n/, ''));
      return null;
    }
    const done = this.finish();
    this.#fields = [];
    return done;
  }

  finish(): RawCommit | null {
    if (this.#fields === null) return null;
    const [sha = '', authorName = '', committed = '', message = ''] = this.#fields;
    const commit = { sha, authorName, committed, message, ...this.#change };
    this.#fields = null;
    this.#change = noChange();
    this.#pathsToCome = 0;
    return commit;
  }

  #takeFile(text: string): void {
    if (this.#pathsToCome > 0) {
      this.#pathsToCome -= 1;
      if (this.#pathsToCome === 0) this.#takePath(text);
      return;
    }
    const [additions = '', deletions = '', ...path] = text.split('\t');
    this.#change.additions += linesOf(additions);
    this.#change.deletions += linesOf(deletions);
    this.#change.filesChanged += 1;
    if (path.length === 1 && path[0] === '') this.#pathsToCome = 2;
    else this.#takePath(path.join('\t'));
  }

  #takePath(path: string): void {
    if (this.#change.changedPaths.length < MAX_CHANGED_PATHS) this.#change.changedPaths.push(path);
  }
}

/** For a binary file git prints "-" instead of the number of lines. */
function linesOf(count: string): number {
  return count === '-' ? 0 : Number(count);
}

function noChange(): Numstat {
  return { additions: 0, deletions: 0, filesChanged: 0, changedPaths: [] };
}
