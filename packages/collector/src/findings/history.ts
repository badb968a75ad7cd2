/** What is known of the change of a commit. */
export interface CommitNote {
  /** A hash of the paths of the changed files; `null` for a merge, and where the change is unknown. Changes that are equal have equal keys. */
  readonly key: string | null;
  /** The commits that its message says it reverts. */
  readonly reverts: readonly string[];
}

/** Marks commits by their places. */
export type Reach = Uint8Array;

/** The commits of a repository, how they follow one another, and what is known of their changes. Each commit has a place; parents have lower places than their children. */
export class History {
  readonly #shas: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #parents: (readonly number[])[] = [];
  readonly #notes: (CommitNote | null)[] = [];
  readonly #patches = new Map<number, string>();

  get size(): number {
    return this.#shas.length;
  }

  /** Adds a commit after its parents. Parents that are unknown, as at the end of a shallow clone, are left out. A commit that is known already stays as it is. */
  add(sha: string, parents: readonly string[]): void {
    if (!this.#places.has(sha)) this.addAfter(sha, this.placesOf(parents));
  }

  /** Adds a commit that is not known yet, and whose parents have these places. */
  addAfter(sha: string, parents: readonly number[]): void {
    this.#places.set(sha, this.#shas.length);
    this.#parents.push(parents);
    this.#shas.push(sha);
    this.#notes.push(null);
  }

  /** The number of known patch ids. */
  get patches(): number {
    return this.#patches.size;
  }

  placeOf(sha: string): number | null {
    return this.#places.get(sha) ?? null;
  }

  placesOf(shas: readonly string[]): readonly number[] {
    return shas.flatMap((sha) => this.#places.get(sha) ?? []);
  }

  shaAt(place: number): string {
    return this.#shas[place] ?? '';
  }

  parentsAt(place: number): readonly number[] {
    return this.#parents[place] ?? [];
  }

  noteAt(place: number): CommitNote | null {
    return this.#notes[place] ?? null;
  }

  setNote(place: number, note: CommitNote): void {
    this.#notes[place] = note;
  }

  /** The patch id of a commit; `''` if it changes nothing, and `null` if it was not computed. */
  patchAt(place: number): string | null {
    return this.#patches.get(place) ?? null;
  }

  setPatch(place: number, patch: string): void {
    this.#patches.set(place, patch);
  }

  /** The commits without children. */
  heads(): readonly string[] {
    const hasChild = new Uint8Array(this.size);
    for (const parents of this.#parents) for (const parent of parents) hasChild[parent] = 1;
    return this.#shas.filter((_, place) => hasChild[place] === 0);
  }

  /** Marks the commits at these places and all their ancestors. @param lowest no place below it is marked */
  reach(places: readonly number[], lowest = 0): Reach {
    const marks = new Uint8Array(this.size);
    let highest = -1;
    for (const place of places) [marks[place], highest] = [1, Math.max(highest, place)];
    for (let place = highest; place >= lowest; place--) {
      if (marks[place] === 1) for (const parent of this.parentsAt(place)) marks[parent] = 1;
    }
    return marks;
  }

  /** Those of the places that no other of them reaches, by their shas. */
  independent(places: readonly number[]): readonly string[] {
    const below = places.length > 1 ? this.reach(places.flatMap((place) => this.parentsAt(place))) : new Uint8Array();
    return [...new Set(places)]
      .filter((place) => below[place] !== 1)
      .map((place) => this.shaAt(place))
      .sort();
  }
}
