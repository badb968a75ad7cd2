import { EARLIEST_INSTANT, LATEST_INSTANT, type Instant, MAX_CHANGED_PATHS } from '@vitrine/core';
import { type Git, textOf } from './git.js';

export interface RawCommit {
  readonly sha: string;
  readonly authorName: string;
  readonly committedAt: Instant;
  /** The message up to its first NUL. */
  readonly message: string;
  readonly additions: number;
  readonly deletions: number;
  readonly filesChanged: number;
  /** At most {@link MAX_CHANGED_PATHS} paths. For a renamed file, its new path. */
  readonly changedPaths: readonly string[];
}

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
  for await (const commit of readBlocks(git.tokens(args, shaLines(shas)), FIELDS, commitBlock)) {
    // Git does not print some dates, such as those before 1970.
    if (Number.isNaN(commit.committedAt))
      yield { ...commit, committedAt: claimedInstant(secondsIn(await git.bytes(['cat-file', 'commit', commit.sha]))) };
    else yield commit;
  }
}

export function* shaLines(shas: readonly string[]): Generator<string, void, undefined> {
  for (let start = 0; start < shas.length; start += SHAS_PER_WRITE) yield `${shas.slice(start, start + SHAS_PER_WRITE).join('\n')}\n`;
}

/** The date of a commit or a tag, limited to the range of times that records can contain. */
export function claimedInstant(seconds: number): Instant {
  return Math.min(Math.max(seconds * 1_000, EARLIEST_INSTANT), LATEST_INSTANT);
}

interface Block<Item> {
  readonly take: (token: Buffer) => void;
  readonly done: () => Item;
}

/**
 * Reads what git prints for each commit: an empty token, the fields of the format, then one or more tokens for each changed file. No path is empty, so nothing in a
 * repository can look like the start of a commit.
 */
export async function* readBlocks<Item>(
  tokens: AsyncIterable<readonly Buffer[]>,
  fieldCount: number,
  blockOf: (fields: readonly Buffer[]) => Block<Item>,
): AsyncGenerator<Item, void, undefined> {
  let fields: Buffer[] = [];
  let block: Block<Item> | null = null;
  for await (const arrived of tokens) {
    for (const token of arrived) {
      // The first field is the empty token.
      if (block === null) {
        if (fields.push(token) > fieldCount) block = blockOf(fields.slice(1));
      } else if (token.length > 0) {
        block.take(token);
      } else {
        yield block.done();
        [fields, block] = [[token], null];
      }
    }
  }
  if (block !== null) yield block.done();
}

/** Changed files: one token each, or three for a renamed file. A date that git does not print is `NaN`. */
function commitBlock(fields: readonly Buffer[]): Block<RawCommit> {
  const [sha = '', authorName = '', seconds = '', message = ''] = fields.map(textOf);
  const committedAt = seconds === '' ? NaN : claimedInstant(Number(seconds));
  const changedPaths: string[] = [];
  const commit = { sha, authorName, committedAt, message, additions: 0, deletions: 0, filesChanged: 0, changedPaths };
  /** The paths of a rename that are still expected: first the old one, then the new one. */
  let pathsToCome = 0;
  const takePath = (path: string): void => {
    if (changedPaths.length < MAX_CHANGED_PATHS) changedPaths.push(path);
  };
  return {
    take: (token) => {
      const text = token.toString('utf8');
      if (pathsToCome > 0) {
        pathsToCome -= 1;
        if (pathsToCome === 0) takePath(text);
        return;
      }
      // A line break separates the message from the first file.
      const [additions = '', deletions = '', ...path] = text.replace(/^\n/, '').split('\t');
      commit.additions += linesOf(additions);
      commit.deletions += linesOf(deletions);
      commit.filesChanged += 1;
      if (path.length === 1 && path[0] === '') pathsToCome = 2;
      else takePath(path.join('\t'));
    },
    done: () => commit,
  };
}

/** For a binary file git prints "-" instead of the number of lines. */
function linesOf(count: string): number {
  return count === '-' ? 0 : Number(count);
}

const DATE = /> ?(-?\d+)(?: [+-]\d+)?$/;

/** The date in a raw commit: of the committer, or else of the author; 0 if neither is readable. */
function secondsIn(commit: Buffer): number {
  const header = commit.toString('latin1', 0, commit.indexOf('\n\n')).split('\n');
  const dates = ['committer ', 'author '].map((field) => DATE.exec(header.find((line) => line.startsWith(field)) ?? '')?.[1]);
  return Number(dates.find((date) => date !== undefined) ?? 0);
}
