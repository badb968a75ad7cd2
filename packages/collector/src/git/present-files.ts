import { CHANGED_BY, shaLines } from './commit-log.js';
import type { Git } from './git.js';
import { TokenSplitter } from './token-splitter.js';

const SUBMODULE = '160000';

/**
 * Finds the commits all of whose changed files can be read, before and after the change. Yields one item for each commit: its id, or `null` if files are missing. Ends with
 * a `GitError` at a commit whose trees are missing.
 */
export async function* commitsWithFiles(git: Git, shas: readonly string[]): AsyncGenerator<string | null, void, undefined> {
  const files = new Map<string, readonly string[]>();
  try {
    for await (const [sha, ids] of changedFiles(git, shas)) files.set(sha, ids);
  } finally {
    // Commits that were read before a failure are yielded too.
    const present = await presentFiles(git, new Set([...files.values()].flat()));
    for (const [sha, ids] of files) yield ids.every((id) => present.has(id)) ? sha : null;
  }
}

/** Each commit with the ids of its changed files. Reads only trees. */
async function* changedFiles(git: Git, shas: readonly string[]): AsyncGenerator<readonly [string, readonly string[]], void, undefined> {
  const args = ['diff-tree', '--stdin', '--always', '--root', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', ...CHANGED_BY, '--format=%x00%H'];
  const splitter = new TokenSplitter();
  const reader = new ChangedFilesReader();
  for await (const piece of git.stream(args, shaLines(shas))) {
    for (const token of splitter.push(piece)) {
      const commit = reader.take(token.toString('utf8'));
      if (commit !== null) yield commit;
    }
  }
  const last = reader.finish();
  if (last !== null) yield last;
}

/** Parses tokens: an empty one, the commit, then for each changed file `:mode mode id id status` and its path. */
class ChangedFilesReader {
  #state: 'commit' | 'file' | 'path' = 'file';
  #sha = '';
  #ids: string[] = [];

  take(token: string): readonly [string, readonly string[]] | null {
    if (this.#state === 'commit') this.#sha = token;
    if (this.#state !== 'file') {
      this.#state = 'file';
      return null;
    }
    if (token === '') return this.#next();
    this.#takeFile(token);
    return null;
  }

  finish(): readonly [string, readonly string[]] | null {
    return this.#sha === '' ? null : [this.#sha, this.#ids];
  }

  #next(): readonly [string, readonly string[]] | null {
    const done = this.finish();
    [this.#state, this.#sha, this.#ids] = ['commit', '', []];
    return done;
  }

  #takeFile(token: string): void {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = token.replace(/^\n?:/, '').split(' ');
    for (const [mode, id] of [[oldMode, oldId] as const, [newMode, newId] as const]) if (mode !== SUBMODULE && /[^0]/.test(id)) this.#ids.push(id);
    this.#state = 'path';
  }
}

/** The files whose content exists locally. With `--missing`, no version of git fetches missing content. */
async function presentFiles(git: Git, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return ids;
  const present = new Set<string>();
  const args = ['rev-list', '--no-walk', '--objects', '--no-object-names', '--ignore-missing', '--missing=allow-any', '--stdin'];
  let rest = '';
  for await (const piece of git.stream(args, shaLines([...ids]))) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) present.add(line);
  }
  return present;
}
