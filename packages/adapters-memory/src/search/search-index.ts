import { RecordWords, type SearchableRecord } from '@vitrine/core';
import type { ShaIndex } from '../records/sha-index.js';
import type { SlotTable } from '../slots/slot-table.js';
import { Vocabulary, type Head, type Touchable } from './vocabulary.js';
import { isTitleMark, markedWord, wordMark, WordLists, type WordMark } from './word-lists.js';

/** The inverted index: for each word, and for each prefix of two or three characters, the slots of the records that contain it, newest first. */
export class SearchIndex {
  readonly table: SlotTable;
  readonly shas: ShaIndex;
  readonly vocabulary: Vocabulary;
  readonly wordLists = new WordLists();
  readonly #indexed: boolean[] = [];
  readonly #words = new RecordWords();
  /** The words of the record that is being added. */
  readonly #marks: WordMark[] = [];
  #additions = 0;

  constructor(table: SlotTable, shas: ShaIndex) {
    this.table = table;
    this.shas = shas;
    this.vocabulary = new Vocabulary(table);
  }

  has(slot: number): boolean {
    return this.#indexed[slot] === true;
  }

  /** @param repositoryName the name of its repository, whose words also count; `null` if there is none */
  add(slot: number, record: SearchableRecord, repositoryName: string | null): void {
    const marks = this.#marks;
    const addition = ++this.#additions;
    // The sha of a commit is in the lists of its prefixes, but it is not a word.
    if (record.kind === 'commit') for (const head of this.vocabulary.headsOf(record.sha)) addOnce(head, slot, true, addition);
    this.#words.visit(record, repositoryName, (text, inTitle) => {
      const word = this.vocabulary.word(text);
      if (!addOnce(word, slot, inTitle, addition)) return;
      marks.push(wordMark(word.id, inTitle));
      for (const head of word.heads) addOnce(head, slot, inTitle, addition);
    });
    this.wordLists.set(slot, marks);
    marks.length = 0;
    while (this.#indexed.length <= slot) this.#indexed.push(false);
    this.#indexed[slot] = true;
  }

  /** Removes what {@link add} has added. It must be the same record, but the name of its repository is not needed. */
  remove(slot: number, record: SearchableRecord): void {
    if (!this.has(slot)) return;
    const heads = new Map<Head, boolean>();
    if (record.kind === 'commit') for (const head of this.vocabulary.headsOf(record.sha)) heads.set(head, true);
    for (const mark of this.wordLists.of(slot)) this.#removeWord(slot, mark, heads);
    for (const [head, inTitle] of heads) head.occurrences.remove(slot, inTitle);
    this.wordLists.remove(slot);
    this.#indexed[slot] = false;
  }

  #removeWord(slot: number, mark: WordMark, heads: Map<Head, boolean>): void {
    const inTitle = isTitleMark(mark);
    const word = this.vocabulary.wordOf(markedWord(mark));
    word?.occurrences.remove(slot, inTitle);
    for (const head of word?.heads ?? []) heads.set(head, inTitle || heads.get(head) === true);
  }
}

/** Adds a slot once for each added record. Title fields are added first, so the first occurrence shows whether a title contains the word. */
function addOnce(one: Touchable, slot: number, inTitle: boolean, addition: number): boolean {
  if (one.lastAddition === addition) return false;
  one.lastAddition = addition;
  one.occurrences.add(slot, inTitle);
  return true;
}
