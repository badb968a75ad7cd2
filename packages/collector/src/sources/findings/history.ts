import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readWholeFile } from '@vitrine/config/internal';
import { writeWhole } from '../../files/write-whole.js';
import { privateFolder } from '../git/private-folder.js';

export interface CommitNote {
  /** A hash of the paths of the changed files; `null` for a merge, and where the change is unknown. Changes that are equal have equal keys. */
  readonly key: string | null;
  readonly reverts: readonly string[];
}

export type Reach = Uint8Array;

/** One item for each commit: its sha, the places of its parents, its note and its patch id. */
type HistoryJson = readonly (readonly [sha: string, parents: readonly number[], note: CommitNote | null, patch: string | null])[];

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
  /** The number of commits and patch ids that were read from a file. */
  #read = 0;

  static fromJSON(commits: HistoryJson): History {
    const history = new History();
    for (const [sha, parents, note, patch] of commits) history.#add({ sha, parents, note, patch });
    history.#read = history.#facts;
    return history;
  }

  toJSON(): HistoryJson {
    return this.#commits.map(({ sha, parents, note, patch }) => [sha, parents, note, patch]);
  }

  /** Adds a commit after its parents. Parents that are unknown, as at the end of a shallow clone, are left out. A commit that is known already stays as it is. */
  add(sha: string, parents: readonly string[]): void {
    if (!this.#places.has(sha)) this.#add({ sha, parents: this.placesOf(parents), note: null, patch: null });
  }

  #add(commit: HistoryCommit): void {
    this.#places.set(commit.sha, this.size);
    this.#commits.push(commit);
  }

  get size(): number {
    return this.#commits.length;
  }

  /** How many commits and patch ids were not read from a file. */
  get news(): number {
    return this.#facts - this.#read;
  }

  get #facts(): number {
    return this.#commits.reduce((sum, { patch }) => sum + (patch === null ? 1 : 2), 0);
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

  /** Adds what has become known of a commit. */
  learn(place: number, known: Partial<Pick<HistoryCommit, 'note' | 'patch'>>): void {
    const commit = this.#commits[place];
    if (commit !== undefined) Object.assign(commit, known);
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

export function lowestOf(places: readonly number[]): number {
  return places.reduce((least, place) => Math.min(least, place));
}

/** Increase this if the meaning of the file changes. */
const VERSION = 'vitrine history 2';
/** A larger history is read from git at each run. */
const MOST_COMMITS = 500_000;
/** Git reads fewer commits faster than a large file is written. */
const WORTH_WRITING = 100;
const MOST_BYTES = 128 * 2 ** 20;
const NAME_LENGTH = 32;

/** Where the history of a repository is kept between runs. It holds nothing that cannot be read from the repository again. */
export interface HistoryPlace {
  /** The folder of clones. */
  readonly cacheFolder: string;
  /** Where the repository is; another one has another file. */
  readonly location: string;
}

/** A file that is missing, damaged or of another version counts as empty. */
export async function readHistory(place: HistoryPlace): Promise<History> {
  const text = await fileAt(place)
    .then((path) => readWholeFile(path, MOST_BYTES))
    .catch(() => '');
  return parseHistory(text.toString('utf8')) ?? new History();
}

/** Writes it if enough is new. What is missing then, the next run reads from git; if this fails, everything. */
export async function writeHistory(history: History, place: HistoryPlace): Promise<void> {
  if (history.news < WORTH_WRITING || history.size > MOST_COMMITS) return;
  await fileAt(place)
    .then((path) => writeWhole(path, historyText(history), { mode: 0o600 }))
    .catch(() => undefined);
}

async function fileAt({ cacheFolder, location }: HistoryPlace): Promise<string> {
  return join(await privateFolder(cacheFolder), `${hash('sha256', location, 'hex').slice(0, NAME_LENGTH)}.history`);
}

export function historyText(history: History): string {
  const body = JSON.stringify(history);
  return `${VERSION} ${hashOf(body)}\n${body}`;
}

export function parseHistory(text: string): History | null {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== `${VERSION} ${hashOf(body)}`) return null;
  return History.fromJSON(JSON.parse(body) as HistoryJson);
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}
