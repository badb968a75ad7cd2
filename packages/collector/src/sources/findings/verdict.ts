import { compareText, grouped } from '@vitrine/core';
import type { FollowedFinding, Patch } from './findings-state.js';
import type { GitRef } from '../git/git-refs.js';
import { Descent, lowestOf, revertedIn, type History, type Reach } from './history.js';

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
  readonly #marks: Reach;
  readonly #tagAt: (place: number) => string | null;
  readonly #reverted: ReadonlySet<number>;
  readonly #revertedInReleases: ReadonlySet<number>;
  readonly #byKey: ReadonlyMap<string, readonly number[]>;
  /** The last bases, because one question after the other is about the same branch. */
  #before: { readonly bases: string; readonly descent: Descent } | null = null;

  constructor(history: History, tip: string, { tags, keys }: { readonly tags: readonly GitRef[]; readonly keys: ReadonlySet<string> }) {
    this.#history = history;
    this.#marks = history.reach(history.placesOf([tip]));
    this.#reverted = revertedIn(history, this.#marks);
    this.#revertedInReleases = revertedIn(history, history.reach(history.placesOf(tags.map(({ sha }) => sha))));
    this.#tagAt = closestTags(history, tags);
    this.#byKey = grouped(placesWith(history, this.#marks, keys), (place) => history.noteAt(place)?.key ?? '');
  }

  contains(sha: string): boolean {
    const place = this.#history.placeOf(sha);
    return place !== null && this.#marks[place] === 1;
  }

  /** The tag that contains the commit and is closest to it; `null` if none does. */
  releaseOf(sha: string): string | null {
    return this.#tagAt(this.#history.placeOf(sha) ?? -1);
  }

  /** Whether a commit of the default branch says that it reverts this one. */
  hasReverted(sha: string): boolean {
    return this.#reverted.has(this.#history.placeOf(sha) ?? -1);
  }

  /** Whether a commit that a tag contains says that it reverts this one. */
  hasRevertedInRelease(sha: string): boolean {
    return this.#revertedInReleases.has(this.#history.placeOf(sha) ?? -1);
  }

  /** The places of commits that may make one of the changes: they change the same files, and the branch of the changes does not contain them. @param bases where that branch began */
  candidates(bases: readonly string[], keys: readonly string[]): readonly number[] {
    return this.#notIn(
      bases,
      [...new Set(keys)].flatMap((key) => this.#byKey.get(key) ?? []),
    );
  }

  /** A commit that makes exactly this change, and is not on its branch; `null` if there is none. The patch ids of the candidates must be known. */
  commitWith({ patch, key }: Patch, bases: readonly string[]): string | null {
    // A patch id ignores spaces, also those in the names of files.
    const same = this.#history.placesWith(patch).filter((place) => this.#marks[place] === 1 && this.#history.noteAt(place)?.key === key);
    // The places depend on the order in which commits were read.
    const [first = null] = this.#notIn(bases, same)
      .map((place) => this.#history.shaAt(place))
      .sort();
    return first;
  }

  #notIn(bases: readonly string[], places: readonly number[]): readonly number[] {
    if (places.length === 0) return places;
    const before = this.#descentFrom(bases).downTo(lowestOf(places));
    return places.filter((place) => before[place] !== 1);
  }

  #descentFrom(shas: readonly string[]): Descent {
    const bases = shas.join(' ');
    if (this.#before?.bases !== bases) this.#before = { bases, descent: new Descent(this.#history, this.#history.placesOf(shas)) };
    return this.#before.descent;
  }
}

/** The marked places whose commits change the same files as one of the keys says. */
function* placesWith(history: History, marks: Reach, keys: ReadonlySet<string>): Generator<number> {
  for (let place = 0; place < history.size; place++) {
    const key = marks[place] === 1 ? (history.noteAt(place)?.key ?? null) : null;
    if (key !== null && keys.has(key)) yield place;
  }
}

/** For each place the tag that contains it: one of the commit itself, or else the closest one. Of several that are as close, the first by name. */
function closestTags(history: History, tags: readonly GitRef[]): (place: number) => string | null {
  const sorted = [...tags].sort((a, b) => compareText(a.name, b.name));
  const own = new Map<number, number>();
  for (const [index, { sha }] of [...sorted.entries()].reverse()) for (const place of history.placesOf([sha])) own.set(place, index + 1);
  /** For each place the rank of its tag, counted from 1; 0 for no tag. */
  const ranks = new Uint32Array(history.size);
  const rankAt = (place: number): number => ranks[place] ?? 0;
  for (let place = history.size - 1; place >= 0; place--) {
    const rank = own.get(place) ?? rankAt(place);
    if (rank === 0) continue;
    ranks[place] = rank;
    for (const parent of history.parentsAt(place)) ranks[parent] = Math.min(rank, rankAt(parent) || rank);
  }
  return (place) => sorted[rankAt(place) - 1]?.name ?? null;
}
