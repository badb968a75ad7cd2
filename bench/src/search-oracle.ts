import {
  compareText,
  entryWords,
  isShaAbbreviation,
  keyOfIdentity,
  nameOfRef,
  searchFieldsOf,
  searchTimeOf,
  searchWordsOf,
  type Commit,
  type RepositoryRecord,
} from '@vitrine/core';

type Found = Commit | RepositoryRecord;

/** For each word, the indexes of the entries that contain it. */
type Postings = ReadonlyMap<string, readonly number[]>;

interface Entry {
  readonly record: Found;
  readonly sha: string;
  readonly time: number;
}

/** The expected search results, computed from the records, without an index of a store and without caches. */
export class SearchOracle {
  readonly #entries: readonly Entry[];
  /** For each word, the entries whose fields contain it. */
  readonly #anywhere = new Map<string, number[]>();
  readonly #inTitles = new Map<string, number[]>();

  /** @param records the records of approved repositories */
  constructor(records: readonly Found[]) {
    this.#entries = records
      .map((record) => ({ record, sha: record.kind === 'commit' ? record.sha : '', time: searchTimeOf(record) }))
      .toSorted((a, b) => b.time - a.time || compareText(keyOfIdentity(a.record), keyOfIdentity(b.record)));
    for (const [place, { record }] of this.#entries.entries()) this.#add(place, record);
  }

  /** The addresses of the hits on a page (starting at 1), as `searchId` names them. */
  page(q: string, number: number, limit: number): readonly string[] {
    const anywhere = this.#matching(this.#anywhere, q);
    const titles = this.#matching(this.#inTitles, q);
    const places = [...this.#entries.keys()].filter((place) => anywhere[place] === 1);
    const ordered = [...places.filter((place) => titles[place] === 1), ...places.filter((place) => titles[place] !== 1)];
    return ordered.slice((number - 1) * limit, number * limit).map((place) => this.#idOf(place));
  }

  #idOf(place: number): string {
    const record = this.#entries[place]?.record;
    if (record === undefined) throw new RangeError(`there is no entry ${String(place)}`);
    return record.kind === 'commit' ? `${nameOfRef(record.repositoryRef)}@${record.sha}` : record.fullName;
  }

  #add(place: number, record: Found): void {
    for (const { texts, isTitle } of searchFieldsOf(record, nameOfRef(record.repositoryRef)))
      for (const word of texts.flatMap((text) => entryWords(text))) {
        addTo(this.#anywhere, word, place);
        if (isTitle) addTo(this.#inTitles, word, place);
      }
  }

  /** For each entry, 1 if it contains every word of the query. */
  #matching(words: Postings, q: string): Uint8Array {
    const query = searchWordsOf(q);
    if (query === null) return new Uint8Array(this.#entries.length);
    const tests = query.whole.map((word) => this.#holding(words.get(word) ?? [], word));
    if (query.prefix !== null) tests.push(this.#holding(beginningWith(words, query.prefix), query.prefix));
    return Uint8Array.from(this.#entries, (_, place) => (tests.every((holds) => holds[place] === 1) ? 1 : 0));
  }

  /** For each entry, 1 if it is in the list, or if it is a commit whose sha begins with the word. */
  #holding(places: Iterable<number>, word: string): Uint8Array {
    const one = new Uint8Array(this.#entries.length);
    for (const place of places) one[place] = 1;
    if (isShaAbbreviation(word)) for (const [place, { sha }] of this.#entries.entries()) if (sha.startsWith(word)) one[place] = 1;
    return one;
  }
}

function* beginningWith(words: Postings, prefix: string): Generator<number> {
  for (const [word, places] of words) if (word.startsWith(prefix)) yield* places;
}

function addTo(words: Map<string, number[]>, word: string, place: number): void {
  const places = words.get(word);
  if (places === undefined) words.set(word, [place]);
  else if (places.at(-1) !== place) places.push(place);
}
