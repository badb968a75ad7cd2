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

export interface Word {
  readonly id: number;
  readonly text: string;
  readonly occurrences: Occurrences;
}

/** All words that begin with the same two or three characters. */
export interface Head {
  readonly occurrences: Occurrences;
  /** Those of heads of three only. */
  readonly words: Word[];
}

/** Characters of the longer heads. Longer prefixes are expanded through them. */
export const HEAD_LENGTH = 3;

/** The words of all records. A word that nothing holds any more stays: it costs little and often comes back. */
export class Vocabulary {
  readonly #table: SlotTable;
  readonly #words = new Map<string, Word>();
  readonly #byId: Word[] = [];
  readonly #heads = new Map<string, Head>();

  constructor(table: SlotTable) {
    this.#table = table;
  }

  word(text: string): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word: Word = { id: this.#byId.length, text, occurrences: new Occurrences(this.#table) };
    this.#words.set(text, word);
    this.#byId.push(word);
    const head = firstCharacters(text, HEAD_LENGTH);
    if (head !== null) this.head(head).words.push(word);
    return word;
  }

  head(text: string): Head {
    let head = this.#heads.get(text);
    if (head === undefined) this.#heads.set(text, (head = { occurrences: new Occurrences(this.#table), words: [] }));
    return head;
  }

  findWord(text: string): Word | null {
    return this.#words.get(text) ?? null;
  }

  findHead(text: string): Head | null {
    return this.#heads.get(text) ?? null;
  }

  textOf(id: number): string {
    return this.#byId[id]?.text ?? '';
  }

  settle(): void {
    for (const word of this.#byId) word.occurrences.settle();
    for (const head of this.#heads.values()) head.occurrences.settle();
  }
}

/** The first characters of a word, never half of one; `null` when it has fewer. */
export function firstCharacters(word: string, count: number): string | null {
  const units = word.slice(0, count);
  if (units.length < count) return null;
  if (!/[\ud800-\udfff]/.test(units)) return units;
  const characters = [...word].slice(0, count);
  return characters.length < count ? null : characters.join('');
}
