export interface CommitNote {
  /** A hash of the paths of the changed files; `null` for a merge, and where the change is unknown. Changes that are equal have equal keys. */
  readonly key: string | null;
  readonly reverts: readonly string[];
}

export type Reach = Uint8Array;

interface HistoryCommit {
  readonly sha: string;
  readonly parents: readonly number[];
  note: CommitNote | null;
  patch: string | null;
}

/** The commits of a repository, their parents, and their known changes. Each commit has a place; parents have lower places than their children. */
export class History {
  readonly #commits: HistoryCommit[] = [];
  readonly #places = new Map<string, number>();
  readonly #byPatch = new Map<string, number[]>();

  /** Adds a commit after its parents. Parents that are unknown, as at the end of a shallow clone, are left out. A commit that is known already stays as it is. */
  add(sha: string, parents: readonly string[]): void {
    if (this.#places.has(sha)) return;
    const commit = { sha, parents: this.placesOf(parents), note: null, patch: null };
    this.#places.set(sha, this.size);
    this.#commits.push(commit);
  }

  get size(): number {
    return this.#commits.length;
  }

  has(sha: string): boolean {
    return this.#places.has(sha);
  }

  placeOf(sha: string): number | null {
    return this.#places.get(sha) ?? null;
  }

  placesOf(shas: readonly string[]): readonly number[] {
    return shas.flatMap((sha) => this.#places.get(sha) ?? []);
  }

  shaAt(place: number): string {
    return this.#commits[place]?.sha ?? '';
  }

  parentsAt(place: number): readonly number[] {
    return this.#commits[place]?.parents ?? [];
  }

  noteAt(place: number): CommitNote | null {
    return this.#commits[place]?.note ?? null;
  }

  /** The patch id of a commit; `''` if it changes nothing, and `null` if it was not computed. */
  patchAt(place: number): string | null {
    return this.#commits[place]?.patch ?? null;
  }

  /** The commits with a patch id, as far as those of commits were computed, in any order. */
  placesWith(patch: string): readonly number[] {
    return this.#byPatch.get(patch) ?? [];
  }

  learn(place: number, known: Partial<Pick<HistoryCommit, 'note' | 'patch'>>): void {
    const commit = this.#commits[place];
    if (commit === undefined) return;
    Object.assign(commit, known);
    if (known.patch) addTo(this.#byPatch, known.patch, place);
  }

  heads(): readonly string[] {
    const hasChild = new Uint8Array(this.size);
    for (const { parents } of this.#commits) for (const parent of parents) hasChild[parent] = 1;
    return this.#commits.flatMap(({ sha }, place) => (hasChild[place] === 0 ? sha : []));
  }

  reach(places: readonly number[]): Reach {
    return new Descent(this, places).downTo(0);
  }

  /** Those of the places that no other of them reaches, by their shas. */
  independent(places: readonly number[]): readonly string[] {
    const unique = [...new Set(places)];
    if (unique.length < 2) return unique.map((place) => this.shaAt(place));
    const parents = unique.flatMap((place) => this.parentsAt(place));
    const below = new Descent(this, parents).downTo(lowestOf(unique));
    return unique
      .filter((place) => below[place] !== 1)
      .map((place) => this.shaAt(place))
      .sort();
  }
}

/** Marks commits and their ancestors, only as far down as it is asked to: a history is long, and most questions are about its end. */
export class Descent {
  readonly #history: History;
  readonly #marks: Reach;
  /** The parents of all marked commits above this place are marked. */
  #place = -1;

  constructor(history: History, places: readonly number[]) {
    this.#history = history;
    this.#marks = new Uint8Array(history.size);
    for (const place of places) [this.#marks[place], this.#place] = [1, Math.max(this.#place, place)];
  }

  /** @returns marks that are complete for this place and all above it */
  downTo(lowest: number): Reach {
    for (; this.#place >= lowest; this.#place--) {
      if (this.#marks[this.#place] === 1) for (const parent of this.#history.parentsAt(this.#place)) this.#marks[parent] = 1;
    }
    return this.#marks;
  }
}

/** In place, because a list may have as many commits as a history. */
function addTo<Key>(lists: Map<Key, number[]>, key: Key, place: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [place]);
  else list.push(place);
}

export function lowestOf(places: readonly number[]): number {
  return places.reduce((least, place) => Math.min(least, place));
}

/** Each of them needs a walk over the history. */
const MOST_MERGES = 100;

/** The commits that reverts among the marked commits undo. A reverted revert undoes nothing. The revert of a merge undoes all that the merge brought. @param lowest no commit below it is needed */
export function revertedIn(history: History, marks: Reach, lowest = 0): ReadonlySet<number> {
  const undone = undoneBy(revertersIn(history, marks, lowest));
  const merges = [...undone].filter((place) => history.parentsAt(place).length > 1);
  for (const merge of merges.slice(0, MOST_MERGES)) for (const place of broughtBy(history, merge, lowest)) undone.add(place);
  return undone;
}

function revertersIn(history: History, marks: Reach, lowest: number): ReadonlyMap<number, readonly number[]> {
  const reverters = new Map<number, number[]>();
  for (let place = lowest; place < history.size; place++) {
    if (marks[place] !== 1) continue;
    for (const target of history.placesOf(history.noteAt(place)?.reverts ?? [])) addTo(reverters, target, place);
  }
  return reverters;
}

/** The targets of reverts that are not undone themselves. Without recursion, because a chain of reverts can be as long as a history. */
function undoneBy(reverters: ReadonlyMap<number, readonly number[]>): Set<number> {
  const isUndone = new Map<number, boolean>();
  const isOpen = new Set<number>();
  for (const target of reverters.keys()) {
    const waiting = [target];
    for (let place = waiting.at(-1); place !== undefined; place = waiting.at(-1)) {
      const by: readonly number[] = reverters.get(place) ?? [];
      const undecided = isOpen.has(place) ? [] : by.filter((revert) => !isUndone.has(revert));
      isOpen.add(place);
      for (const revert of undecided) waiting.push(revert);
      if (undecided.length > 0) continue;
      isUndone.set(
        place,
        by.some((revert) => isUndone.get(revert) === false),
      );
      waiting.pop();
    }
  }
  return new Set([...isUndone].flatMap(([place, is]) => (is ? place : [])));
}

function broughtBy(history: History, merge: number, lowest: number): readonly number[] {
  const [first = merge, ...others] = history.parentsAt(merge);
  const [before, after] = [new Descent(history, [first]).downTo(lowest), new Descent(history, others).downTo(lowest)];
  const brought: number[] = [];
  for (let place = lowest; place < merge; place++) if (after[place] === 1 && before[place] !== 1) brought.push(place);
  return brought;
}
