import { readCommits, type RawCommit } from './commit-log.js';
import { GitError } from './git-error.js';
import type { Git } from './git.js';
import { commitsWithFiles } from './present-files.js';

/** A commit, and whether git could read its changes. */
export interface AvailableCommit {
  readonly commit: RawCommit;
  readonly isWhole: boolean;
}

const COMMITS_PER_PART = 1_000;
/** After this many consecutive failures, each further failure skips twice as many commits as the one before. */
const PATIENCE = 8;
/** After this many failures the rest of a part is skipped, so that the number of git processes is limited. */
const MOST_FAILURES = 64;

/**
 * Reads commits with their changes, as {@link readCommits} does. If git exits because it cannot read an object, for example in a partial clone, the commits that
 * need that object are read without their changes, and come last.
 */
export async function* readAvailableCommits(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  let done = 0;
  try {
    for await (const commit of readCommits(git, shas, true)) {
      done++;
      yield { commit, isWhole: true };
    }
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // A `.mailmap` that cannot be read would make every read fail.
  const mailmap = await git.withReadableMailmap();
  for (; done < shas.length; done += COMMITS_PER_PART) yield* readPart(mailmap, shas.slice(done, done + COMMITS_PER_PART));
}

/** Whether git itself exited with an error, other than an unknown option. */
export function isRefusal(error: unknown): boolean {
  return error instanceof GitError && error.exitCode !== null && error.exitCode !== 129;
}

async function* readPart(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  const present = new Set<string>();
  for await (const sha of withoutRefused(shas, (part) => commitsWithFiles(git, part))) if (sha !== null) present.add(sha);
  const whole = new Set<string>();
  for await (const commit of withoutRefused([...present], (part) => readCommits(git, part, true))) {
    whole.add(commit.sha);
    yield { commit, isWhole: true };
  }
  const rest = shas.filter((sha) => !whole.has(sha));
  for await (const commit of readCommits(git, rest, false)) yield { commit, isWhole: false };
}

/** Reads the commits in order, without those at which git fails. Each read yields at most one item for a commit. */
async function* withoutRefused<Item>(shas: readonly string[], read: (shas: readonly string[]) => AsyncIterable<Item>): AsyncGenerator<Item> {
  let [start, inRow, failures] = [0, 0, 0];
  while (start < shas.length && failures < MOST_FAILURES) {
    const before = start;
    try {
      for await (const item of read(shas.slice(start))) {
        start++;
        yield item;
      }
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    failures++;
    inRow = start > before ? 0 : inRow + 1;
    // Either git failed at this commit, or it failed before the commit was complete.
    const alone = await itemsOf(read(shas.slice(start, start + 1)));
    yield* alone;
    start += alone.length > 0 ? 1 : skippedAfter(inRow);
  }
}

function skippedAfter(failuresInRow: number): number {
  return 2 ** Math.max(0, failuresInRow - PATIENCE + 1);
}

async function itemsOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
    return all;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [];
  }
}
