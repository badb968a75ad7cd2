import { Postings } from '../slots/postings.js';
import type { SlotTable } from '../slots/slot-table.js';

/** Where a word, or every word with a common start, is found: in any field, and in title fields. */
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

/** What a record is added to once, however often it holds it. */
export interface Touchable {
  readonly occurrences: Occurrences;
  /** The number of the addition that touched it last. */
  lastAddition: number;
}

/** All words that begin with the same two or three characters. */
export interface Head extends Touchable {
  /** Those of heads of three only. */
  readonly words: Word[];
}

export interface Word extends Touchable {
  readonly id: number;
  readonly text: string;
  readonly heads: readonly Head[];
}

/** Characters of the longer heads. Longer prefixes are expanded through them. */
const HEAD_LENGTHS = [2, 3] as const;
export const HEAD_LENGTH = 3;

/** The words of all records. A word that nothing holds any more stays until {@link Vocabulary.forgetUnused}: it costs little and often comes back. */
export class Vocabulary {
  readonly #table: SlotTable;
  readonly #words = new Map<string, Word>();
  /** `null` where a word was forgotten. */
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

  /** The heads that a word begins with: of two characters and of three, as far as it has them. */
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
   * Forgets the words and heads that nothing holds any more, because the time of a search must not tell that they were here. It also does what
   * removals have left for the next search.
   *
   * @param pause is called for each of them, and awaited when it gives a promise
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

/** The first characters of a word, never half of one; `null` when it has fewer. */
export function firstCharacters(word: string, count: number): string | null {
  const units = word.slice(0, count);
  if (units.length < count) return null;
  if (!/[\ud800-\udfff]/.test(units)) return units;
  const characters = [...word].slice(0, count);
  return characters.length < count ? null : characters.join('');
}
