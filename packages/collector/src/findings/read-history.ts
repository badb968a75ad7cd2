import { createHash } from 'node:crypto';
import { shaLines } from '../git/commit-log.js';
import type { Git } from '../git/git.js';
import { textOf, TokenSplitter } from '../git/token-splitter.js';
import { comparedLines, type ComparedCommit } from './compared-commits.js';
import type { CommitNote, History } from './history.js';

/** As a plumbing command it does not depend on the user's configuration. Renames stay two paths, as in patch ids. */
const PATHS = ['diff-tree', '--stdin', '--always', '--root', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=none'];
/** Each commit starts with an empty token. No path is empty. */
const FORMAT = ['--encoding=UTF-8', '--format=%x00%H%x00%B'];
const FIELDS = 2;
const KEY_LENGTH = 16;
/** No person reverts more commits with one. */
const MOST_REVERTS = 100;
/** The line that `git revert` writes. */
const REVERT = /\bThis reverts commit ([0-9a-f]{64}|[0-9a-f]{40})\b/g;

/** Adds all commits that lead to the tips. Only commits that are not known yet are read. Throws a `GitError` if a commit cannot be read. */
export async function readCommitsInto(history: History, git: Git, tips: readonly string[]): Promise<void> {
  const unknown = [...new Set(tips)].filter((tip) => history.placeOf(tip) === null);
  if (unknown.length === 0) return;
  const known = [...history.heads(), ...tips.filter((tip) => history.placeOf(tip) !== null)];
  // A known commit may be gone from the repository by now.
  const args = ['rev-list', '--topo-order', '--reverse', '--parents', '--ignore-missing', '--stdin'];
  const input = shaLines([...unknown, ...known.map((sha) => `^${sha}`)]);
  let rest = '';
  for await (const piece of git.stream(args, input)) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [sha = '', ...parents] = line.split(' ');
      history.add(sha, parents);
    }
  }
}

/** Reads the changes of the commits at these places, and the commits that they revert. */
export async function readNotesInto(history: History, git: Git, places: readonly number[]): Promise<void> {
  const single = places.filter((place) => history.parentsAt(place).length < 2);
  for (const place of places) if (history.parentsAt(place).length > 1) history.setNote(place, { key: null, reverts: [] });
  const wanted = single.map((place) => ({ sha: history.shaAt(place) }));
  await readNotes(git, wanted, (sha, note) => {
    const place = history.placeOf(sha);
    if (place !== null) history.setNote(place, note);
  });
}

/** Reads the changes of each commit, compared with its parent or with another commit. */
export async function readNotes(git: Git, wanted: readonly ComparedCommit[], found: (sha: string, note: CommitNote) => void): Promise<void> {
  if (wanted.length === 0) return;
  const splitter = new TokenSplitter();
  const reader = new NoteReader(found);
  for await (const piece of git.stream([...PATHS, ...FORMAT], comparedLines(wanted))) {
    for (const token of splitter.push(piece)) reader.take(token);
  }
  reader.finish();
}

/** Parses tokens: an empty one, the sha, the message, then the changed paths. */
class NoteReader {
  readonly #found: (sha: string, note: CommitNote) => void;
  #fields: Buffer[] | null = null;
  #paths = createHash('sha256');

  constructor(found: (sha: string, note: CommitNote) => void) {
    this.#found = found;
  }

  take(token: Buffer): void {
    if (this.#fields !== null && this.#fields.length < FIELDS) {
      this.#fields.push(Buffer.from(token));
      return;
    }
    if (token.length > 0) {
      // A line break separates the message from the first path.
      this.#paths.update(token[0] === NEWLINE ? token.subarray(1) : token).update('\0');
      return;
    }
    this.finish();
    this.#fields = [];
  }

  finish(): void {
    const [sha, message] = this.#fields ?? [];
    if (sha !== undefined && message !== undefined) {
      const key = this.#paths.digest('base64url').slice(0, KEY_LENGTH);
      this.#found(sha.toString('latin1'), { key, reverts: revertsIn(textOf(message)) });
    }
    [this.#fields, this.#paths] = [null, createHash('sha256')];
  }
}

const NEWLINE = 10;

function revertsIn(message: string): readonly string[] {
  if (!message.includes('This reverts commit')) return [];
  return [...message.matchAll(REVERT)].slice(0, MOST_REVERTS).flatMap(([, sha]) => sha ?? []);
}
