import { grouped } from '@vitrine/core';

export interface CommitNote {
  /** A hash of the paths of the changed files; `null` for a merge, and where the change is unknown. Changes that are equal have equal keys. */
  readonly key: string | null;
  readonly reverts: readonly string[];
}

export interface HistoryCommit {
  readonly sha: string;
  /** Parents have lower places than their children. */
  readonly place: number;
  readonly parents: readonly HistoryCommit[];
  /** `null` until it is read. */
  note: CommitNote | null;
  /** Its patch id; `''` if it changes nothing, and `null` until it is computed. */
  patch: string | null;
}

/** 1 at the places of marked commits. */
export type Marks = Uint8Array;

/** The commits of a repository, their parents, and their known changes. */
export class History {
  /** By their places. */
  readonly commits: HistoryCommit[] = [];
  readonly #bySha = new Map<string, HistoryCommit>();

  /** Adds a commit after its parents. Parents that are unknown, as at the end of a shallow clone, are left out. A commit that is known already stays as it is. */
  add(sha: string, parents: readonly string[]): void {
    if (this.#bySha.has(sha)) return;
    const commit = { sha, place: this.commits.length, parents: this.known(parents), note: null, patch: null };
    this.#bySha.set(sha, commit);
    this.commits.push(commit);
  }

  get(sha: string): HistoryCommit | undefined {
    return this.#bySha.get(sha);
  }

  has(sha: string): boolean {
    return this.#bySha.has(sha);
  }

  known(shas: readonly string[]): readonly HistoryCommit[] {
    return shas.flatMap((sha) => this.#bySha.get(sha) ?? []);
  }

  heads(): readonly string[] {
    const hasChild = new Uint8Array(this.commits.length);
    for (const { parents } of this.commits) for (const { place } of parents) hasChild[place] = 1;
    return this.commits.flatMap(({ sha, place }) => (hasChild[place] === 0 ? sha : []));
  }

  reach(commits: readonly HistoryCommit[]): Marks {
    return new Descent(this, commits).downTo(0);
  }

  /** The marked commits from a place on, parents first. @param end the place before which they end */
  *marked(marks: Marks, lowest = 0, end = this.commits.length): Generator<HistoryCommit, void, undefined> {
    for (let place = lowest; place < end; place++) {
      const commit = marks[place] === 1 ? this.commits[place] : undefined;
      if (commit !== undefined) yield commit;
    }
  }

  /** The shas of those commits that no other of them reaches. */
  independent(commits: readonly HistoryCommit[]): readonly string[] {
    const unique = [...new Set(commits)];
    // Marks take as much memory as a history is long, and most branches began at one place.
    if (unique.length < 2) return unique.map(({ sha }) => sha);
    const parents = unique.flatMap((commit) => commit.parents);
    const below = new Descent(this, parents).downTo(lowestOf(unique));
    return unique.flatMap(({ sha, place }) => (below[place] === 1 ? [] : sha)).sort();
  }
}

/** Marks commits and their ancestors, only as far down as it is asked to: a history is long, and most questions are about its end. */
export class Descent {
  readonly #history: History;
  readonly #marks: Marks;
  /** The parents of all marked commits above this place are marked. */
  #place = -1;

  constructor(history: History, commits: readonly HistoryCommit[]) {
    this.#history = history;
    this.#marks = new Uint8Array(history.commits.length);
    for (const { place } of commits) [this.#marks[place], this.#place] = [1, Math.max(this.#place, place)];
  }

  /** @returns marks that are complete for this place and all above it */
  downTo(lowest: number): Marks {
    for (; this.#place >= lowest; this.#place--) {
      if (this.#marks[this.#place] === 1) for (const { place } of this.#history.commits[this.#place]?.parents ?? []) this.#marks[place] = 1;
    }
    return this.#marks;
  }
}

export function lowestOf(commits: readonly HistoryCommit[]): number {
  return commits.reduce((least, { place }) => Math.min(least, place), Infinity);
}

/** Each of them needs a walk over the history. */
const MOST_MERGES = 100;

/** The shas of what reverts among the marked commits undo. A reverted revert undoes nothing. The revert of a merge undoes all that it brought. @param lowest no commit below it is needed */
export function revertedIn(history: History, marks: Marks, lowest = 0): ReadonlySet<string> {
  const undone = undoneBy(revertersIn(history, marks, lowest));
  const merges = [...undone].filter(({ parents }) => parents.length > 1);
  for (const merge of merges.slice(0, MOST_MERGES)) for (const commit of broughtBy(history, merge, lowest)) undone.add(commit);
  return new Set([...undone].map(({ sha }) => sha));
}

type Reverters = ReadonlyMap<HistoryCommit, readonly HistoryCommit[]>;

/** By what they revert. */
function revertersIn(history: History, marks: Marks, lowest: number): Reverters {
  const all = [...history.marked(marks, lowest)].filter(({ note }) => note !== null && note.reverts.length > 0);
  const pairs = all.flatMap((by) => history.known(by.note?.reverts ?? []).map((target) => ({ by, target })));
  return new Map([...grouped(pairs, ({ target }) => target)].map(([target, found]) => [target, found.map(({ by }) => by)]));
}

/** The targets of reverts that are not undone themselves. Without recursion, because a chain of reverts can be as long as a history. */
function undoneBy(reverters: Reverters): Set<HistoryCommit> {
  const isUndone = new Map<HistoryCommit, boolean>();
  const isOpen = new Set<HistoryCommit>();
  for (const target of reverters.keys()) {
    const waiting = [target];
    for (let commit = waiting.at(-1); commit !== undefined; commit = waiting.at(-1)) {
      const by: readonly HistoryCommit[] = reverters.get(commit) ?? [];
      const undecided = isOpen.has(commit) ? [] : by.filter((revert) => !isUndone.has(revert));
      isOpen.add(commit);
      for (const revert of undecided) waiting.push(revert);
      if (undecided.length > 0) continue;
      const reverts = by.map((revert) => isUndone.get(revert));
      isUndone.set(commit, reverts.includes(false));
      waiting.pop();
    }
  }
  return new Set([...isUndone].flatMap(([commit, is]) => (is ? commit : [])));
}

function broughtBy(history: History, { parents, place: end }: HistoryCommit, lowest: number): readonly HistoryCommit[] {
  const before = new Descent(history, parents.slice(0, 1)).downTo(lowest);
  const after = new Descent(history, parents.slice(1)).downTo(lowest);
  return [...history.marked(after, lowest, end)].filter(({ place }) => before[place] !== 1);
}
