import { compareText, grouped } from '@vitrine/core';
import type { FollowedFinding, Patch } from './findings-state.js';
import type { GitRef } from '../git/git-refs.js';
import { Descent, lowestOf, revertedIn, type History, type HistoryCommit, type Marks } from './history.js';

export type Change = Pick<FollowedFinding, 'commits' | 'tip' | 'bases' | 'squash' | 'held'>;

interface Held {
  /** The commits that show it; none for a status that nothing shows. */
  readonly held: readonly string[];
  /** Whether they are the commits of the branch, and not others that make the same change. */
  readonly areOwn: boolean;
}

export type Verdict = Held &
  (
    | { readonly status: 'EXPERIMENTAL' | 'UNKNOWN' | 'CONFIRMED' }
    | { readonly status: 'RETRACTED'; readonly by: 'revert' | 'closing' }
    | { readonly status: 'RELEASED'; readonly tags: readonly string[] }
  );

interface BranchFate {
  /** The commits that the branch itself reverts; `null` for a branch that does not have these commits any more. */
  readonly reverted: ReadonlySet<string> | null;
  /** Whether it ended when its pull request was closed without merging. */
  readonly isClosed: boolean;
}

export function verdictOf(change: Change, main: DefaultBranch, branch: BranchFate): Verdict {
  const held = heldBy(change, main);
  const own = { held: change.commits.map(({ sha }) => sha), areOwn: true };
  if (held !== null) {
    const isUndone = [held, own].some((commits) => isEach(commits.held, (sha) => main.hasReverted(sha)));
    return isUndone ? { status: 'RETRACTED', by: 'revert', ...held } : (releaseWith(held, main) ?? { status: 'CONFIRMED', ...held });
  }
  const isUndone = isEach(own.held, (sha) => branch.reverted?.has(sha) === true || main.hasRevertedInRelease(sha));
  return isUndone ? { status: 'RETRACTED', by: 'revert', ...own } : (releaseWith(own, main) ?? openVerdict(own, branch));
}

/** Of a change that neither the default branch nor a tag contains, and that was not reverted. */
function openVerdict(own: Held, { reverted, isClosed }: BranchFate): Verdict {
  if (isClosed) return { status: 'RETRACTED', by: 'closing', ...own };
  return { status: reverted === null ? 'UNKNOWN' : 'EXPERIMENTAL', held: [], areOwn: true };
}

/** The commits of the default branch that hold the change; `null` if it does not hold all of it. */
function heldBy({ commits, tip, bases, squash, held }: Change, main: DefaultBranch): Held | null {
  const shas = commits.map(({ sha }) => sha);
  if (isEach(shas, (sha) => main.contains(sha))) return { held: shas, areOwn: true };
  if (tip !== null && main.contains(tip)) return { held: [tip], areOwn: true };
  if (isEach(held, (sha) => main.contains(sha))) return { held, areOwn: false };
  // A commit that changes nothing has nothing that could be missing.
  const same = commits.filter(({ patch }) => patch !== '').map((commit) => (main.contains(commit.sha) ? commit.sha : main.commitWith(commit, bases)));
  if (isEach(same, (sha) => sha !== null)) return { held: [...new Set(same.flatMap((sha) => sha ?? []))], areOwn: false };
  const whole = squash === null ? null : main.commitWith(squash, bases);
  return whole === null ? null : { held: [whole], areOwn: false };
}

function releaseWith(held: Held, main: DefaultBranch): Verdict | null {
  const tags = held.held.map((sha) => main.releaseOf(sha));
  if (!isEach(tags, (tag) => tag !== null)) return null;
  return { status: 'RELEASED', ...held, tags: [...new Set(tags.flatMap((tag) => tag ?? []))].sort() };
}

/** Whether there are items, and all of them pass. */
function isEach<Item>(items: readonly Item[], passes: (item: Item) => boolean): boolean {
  return items.length > 0 && items.every(passes);
}

export class DefaultBranch {
  readonly #history: History;
  readonly #marks: Marks;
  readonly #tagAt: (place: number) => string | null;
  readonly #reverted: ReadonlySet<string>;
  readonly #revertedInReleases: ReadonlySet<string>;
  readonly #byKey: ReadonlyMap<string, readonly HistoryCommit[]>;
  #byPatch: ReadonlyMap<string, readonly HistoryCommit[]> | null = null;
  /** The last bases, because one question after the other is about the same branch. */
  #before: { readonly bases: string; readonly descent: Descent } | null = null;

  /** @param keys those of all changes that are asked about */
  constructor(history: History, tip: string, { tags, keys }: { readonly tags: readonly GitRef[]; readonly keys: ReadonlySet<string> }) {
    this.#history = history;
    this.#marks = history.reach(history.known([tip]));
    this.#reverted = revertedIn(history, this.#marks);
    this.#revertedInReleases = revertedIn(history, history.reach(history.known(tags.map(({ sha }) => sha))));
    this.#tagAt = closestTags(history, tags);
    this.#byKey = grouped(withKeys(history.marked(this.#marks), keys), ({ note }) => note?.key ?? '');
  }

  contains(sha: string): boolean {
    return this.#marks[this.#placeOf(sha)] === 1;
  }

  /** The tag that contains the commit and is closest to it; `null` if none does. */
  releaseOf(sha: string): string | null {
    return this.#tagAt(this.#placeOf(sha));
  }

  /** Whether a commit of the default branch says that it reverts this one. */
  hasReverted(sha: string): boolean {
    return this.#reverted.has(sha);
  }

  /** Whether a commit that a tag contains says that it reverts this one. */
  hasRevertedInRelease(sha: string): boolean {
    return this.#revertedInReleases.has(sha);
  }

  /** The commits that may make one of the changes: they change the same files, and the branch of the changes does not contain them. @param bases where that branch began */
  candidates(bases: readonly string[], keys: readonly string[]): readonly HistoryCommit[] {
    const same = [...new Set(keys)].flatMap((key) => this.#byKey.get(key) ?? []);
    return this.#notIn(bases, same);
  }

  /** A commit that makes exactly this change, and is not on its branch; `null` if there is none. The patch ids of all candidates must be known. */
  commitWith({ patch, key }: Patch, bases: readonly string[]): string | null {
    this.#byPatch ??= grouped([...this.#byKey.values()].flat().filter(changesSomething), (commit) => commit.patch ?? '');
    // A patch id ignores spaces, also those in the names of files.
    const same = (this.#byPatch.get(patch) ?? []).filter(({ note }) => note?.key === key);
    // The places depend on the order in which commits were read.
    const [first = null] = this.#notIn(bases, same)
      .map(({ sha }) => sha)
      .sort();
    return first;
  }

  #placeOf(sha: string): number {
    return this.#history.get(sha)?.place ?? -1;
  }

  #notIn(bases: readonly string[], commits: readonly HistoryCommit[]): readonly HistoryCommit[] {
    if (commits.length === 0) return commits;
    const before = this.#descentFrom(bases).downTo(lowestOf(commits));
    return commits.filter(({ place }) => before[place] !== 1);
  }

  #descentFrom(shas: readonly string[]): Descent {
    const bases = shas.join(' ');
    if (this.#before?.bases !== bases) this.#before = { bases, descent: new Descent(this.#history, this.#history.known(shas)) };
    return this.#before.descent;
  }
}

function changesSomething({ patch }: HistoryCommit): boolean {
  return patch !== null && patch !== '';
}

/** The commits that change the same files as one of the keys says. */
function* withKeys(commits: Iterable<HistoryCommit>, keys: ReadonlySet<string>): Generator<HistoryCommit> {
  for (const commit of commits) if (commit.note !== null && commit.note.key !== null && keys.has(commit.note.key)) yield commit;
}

/** For each place the tag that contains it: one of the commit itself, or else the closest one. Of several that are as close, the first by name. */
function closestTags(history: History, tags: readonly GitRef[]): (place: number) => string | null {
  const sorted = [...tags].sort((a, b) => compareText(a.name, b.name));
  const own = new Map<HistoryCommit, number>();
  for (const [index, { sha }] of [...sorted.entries()].reverse()) for (const commit of history.known([sha])) own.set(commit, index + 1);
  /** For each place the rank of its tag, counted from 1; 0 for no tag. */
  const ranks = new Uint32Array(history.commits.length);
  const rankAt = (place: number): number => ranks[place] ?? 0;
  for (const commit of history.commits.toReversed()) {
    const rank = own.get(commit) ?? rankAt(commit.place);
    if (rank === 0) continue;
    ranks[commit.place] = rank;
    for (const { place } of commit.parents) ranks[place] = Math.min(rank, rankAt(place) || rank);
  }
  return (place) => sorted[rankAt(place) - 1]?.name ?? null;
}
