import { Postings } from '../slots/postings.js';
import type { SlotTable } from '../slots/slot-table.js';

/** The slots with a word or a prefix: in any field, and in title fields. */
export class Occurrences {
  readonly all: Postings;
  readonly title: Postings;

  constructor(table: SlotTable) {
    this.all = new Postings(table);
    this.title = new Postings(table);
  }

  add(slot: number, inTitle: boolean): void {
    this.all.add(slot);
    if (inTitle) this.title.add(slot);
  }

  remove(slot: number, inTitle: boolean): void {
    this.all.remove(slot);
    if (inTitle) this.title.remove(slot);
  }

  settle(): void {
    this.all.settle();
    this.title.settle();
  }
}

/** An entry to which a record is added once, even if the record contains it several times. */
export interface Touchable {
  readonly occurrences: Occurrences;
  /** The number of the addition that changed it last. */
  lastAddition: number;
}

/** All words with the same first two or three characters. */
export interface Head extends Touchable {
  /** Only for heads of three characters. */
  readonly words: Word[];
}

export interface Word extends Touchable {
  readonly id: number;
  readonly text: string;
  readonly heads: readonly Head[];
}

/** The lengths of heads. Longer prefixes are looked up in the words of their head. */
const HEAD_LENGTHS = [2, 3] as const;
export const HEAD_LENGTH = 3;

/** The words of all records. An unused word stays until {@link Vocabulary.forgetUnused} is called, because it takes little memory and is often used again. */
export class Vocabulary {
  readonly #table: SlotTable;
  readonly #words = new Map<string, Word>();
  /** `null` for a removed word. */
  readonly #byId: (Word | null)[] = [];
  readonly #heads = new Map<string, Head>();

  constructor(table: SlotTable) {
    this.#table = table;
  }

  word(text: string): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const heads = this.headsOf(text);
    const word: Word = { id: this.#byId.length, text, occurrences: new Occurrences(this.#table), heads, lastAddition: 0 };
    this.#words.set(text, word);
    this.#byId.push(word);
    heads[HEAD_LENGTHS.length - 1]?.words.push(word);
    return word;
  }

  wordOf(id: number): Word | null {
    return this.#byId[id] ?? null;
  }

  /** The heads of a word: its first two and its first three characters, if it has so many. */
  headsOf(text: string): Head[] {
    return HEAD_LENGTHS.flatMap((length) => {
      const characters = firstCharacters(text, length);
      return characters === null ? [] : [this.#head(characters)];
    });
  }

  findWord(text: string): Word | null {
    return this.#words.get(text) ?? null;
  }

  findHead(text: string): Head | null {
    return this.#heads.get(text) ?? null;
  }

  settle(): void {
    for (const word of this.#words.values()) word.occurrences.settle();
    for (const head of this.#heads.values()) head.occurrences.settle();
  }

  /**
   * Removes the words and heads that no record contains any more, because the time of a search must not reveal that they existed. It also completes
   * pending removals, which the next search would otherwise do.
   *
   * @param pause called for each word and head, and awaited if it returns a promise
   */
  async forgetUnused(pause: () => Promise<void> | null): Promise<void> {
    const thinned = new Set<Head>();
    for (const word of this.#words.values()) {
      word.occurrences.settle();
      if (word.occurrences.all.size === 0) this.#forget(word, thinned);
      const turn = pause();
      if (turn !== null) await turn;
    }
    for (const { words } of thinned) keepWhere(words, ({ id }) => this.#byId[id] !== null);
    for (const [text, head] of this.#heads) {
      head.occurrences.settle();
      if (head.occurrences.all.size === 0) this.#heads.delete(text);
      const turn = pause();
      if (turn !== null) await turn;
    }
  }

  #forget(word: Word, thinned: Set<Head>): void {
    this.#words.delete(word.text);
    this.#byId[word.id] = null;
    for (const head of word.heads) thinned.add(head);
  }

  #head(text: string): Head {
    let head = this.#heads.get(text);
    if (head === undefined) this.#heads.set(text, (head = { occurrences: new Occurrences(this.#table), words: [], lastAddition: 0 }));
    return head;
  }
}

function keepWhere(words: Word[], test: (word: Word) => boolean): void {
  const kept = words.filter(test);
  words.length = 0;
  for (const word of kept) words.push(word);
}

/** The first characters of a word, without splitting a surrogate pair; `null` if it has fewer. */
export function firstCharacters(word: string, count: number): string | null {
  const units = word.slice(0, count);
  if (units.length < count) return null;
  if (!/[\ud800-\udfff]/.test(units)) return units;
  const characters = [...word].slice(0, count);
  return characters.length < count ? null : characters.join('');
}
