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
import { Random } from '@vitrine/core/testing';
import { elementOf } from './measure.js';
import { vocabulary } from './world.js';

export interface Question {
  readonly q: string;
  readonly page: number;
}

/** Different queries of one to three words, of prefixes, of abbreviated shas, and of pages far behind the first. */
export function searchQuestions(count: number): readonly Question[] {
  const random = new Random(29);
  const wordOf = (from: number, to: number) => elementOf(vocabulary, from + random.int(to - from));
  const [common, middling, rare] = [() => wordOf(0, 100), () => wordOf(100, 2_000), () => wordOf(2_000, vocabulary.length)];
  const prefix = () => wordOf(0, 5_000).slice(0, 2 + random.int(6));
  const kinds: readonly (() => string)[] = [
    ...[common, middling, rare, prefix, prefix],
    ...[() => `${common()} ${common()}`, () => `${common()} ${middling()}`, () => `${middling()} ${rare()}`],
    ...[() => `${common()} ${common()} ${middling()}`, () => `${middling()} ${prefix()}`, () => `author ${common()}`],
    () => random.next().toString(16).slice(2, 9),
  ];
  const questions = new Map<string, Question>();
  while (questions.size < count) {
    const page = questions.size % 10 === 9 ? 50 : 1;
    const q = page === 1 ? elementOf(kinds, random.int(kinds.length))() : common();
    questions.set(`${q} ${String(page)}`, { q, page });
  }
  return [...questions.values()];
}

type Found = Commit | RepositoryRecord;
type Places = Map<string, number[]>;

/** The expected search results, computed from the records of approved repositories, without an index of a store and without caches. */
export class SearchOracle {
  readonly #records: readonly Found[];
  readonly #anywhere: Places = new Map();
  readonly #inTitles: Places = new Map();

  constructor(records: readonly Found[]) {
    this.#records = records.toSorted((a, b) => searchTimeOf(b) - searchTimeOf(a) || compareText(keyOfIdentity(a), keyOfIdentity(b)));
    for (const [place, record] of this.#records.entries())
      for (const { texts, isTitle } of searchFieldsOf(record, nameOfRef(record.repositoryRef)))
        for (const word of texts.flatMap((text) => entryWords(text))) {
          addTo(this.#anywhere, word, place);
          if (isTitle) addTo(this.#inTitles, word, place);
        }
  }

  page({ q, page }: Question, limit: number): readonly string[] {
    // A record with all words in its title contains them.
    const ordered = new Set([...this.#matching(this.#inTitles, q), ...this.#matching(this.#anywhere, q)]);
    return [...ordered].slice((page - 1) * limit, page * limit).map((place) => {
      const record = elementOf(this.#records, place);
      return record.kind === 'commit' ? `${nameOfRef(record.repositoryRef)}@${record.sha}` : record.fullName;
    });
  }

  #matching(words: Places, q: string): readonly number[] {
    const query = searchWordsOf(q);
    if (query === null) return [];
    const each = query.whole.map((word) => this.#holding(words.get(word) ?? [], word));
    if (query.prefix !== null) each.push(this.#holding(beginningWith(words, query.prefix), query.prefix));
    const [least = new Set<number>(), ...others] = each.toSorted((a, b) => a.size - b.size);
    return [...least].filter((place) => others.every((places) => places.has(place))).sort((a, b) => a - b);
  }

  /** These places, and those of commits whose sha begins with the word. */
  #holding(places: Iterable<number>, word: string): Set<number> {
    const all = new Set(places);
    if (isShaAbbreviation(word))
      for (const [place, record] of this.#records.entries()) if (record.kind === 'commit' && record.sha.startsWith(word)) all.add(place);
    return all;
  }
}

function* beginningWith(words: Places, prefix: string): Generator<number> {
  for (const [word, places] of words) if (word.startsWith(prefix)) yield* places;
}

function addTo(words: Places, word: string, place: number): void {
  const places = words.get(word);
  if (places === undefined) words.set(word, [place]);
  else if (places.at(-1) !== place) places.push(place);
}
