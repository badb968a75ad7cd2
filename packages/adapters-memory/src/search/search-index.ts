import type { SearchableRecord } from '@vitrine/core';
import type { ShaIndex } from '../records/sha-index.js';
import type { SlotTable } from '../slots/slot-table.js';
import { recordWords } from './record-words.js';
import { firstCharacters, HEAD_LENGTH, Vocabulary } from './vocabulary.js';
import { isTitleMark, markedWord, wordMark, WordLists } from './word-lists.js';

/** The inverted index: of each word, and of each start of two or three characters, the slots of the records that hold it, newest first. */
export class SearchIndex {
  readonly table: SlotTable;
  readonly shas: ShaIndex;
  readonly vocabulary: Vocabulary;
  readonly wordLists = new WordLists();
  readonly #indexed: boolean[] = [];

  constructor(table: SlotTable, shas: ShaIndex) {
    this.table = table;
    this.shas = shas;
    this.vocabulary = new Vocabulary(table);
  }

  has(slot: number): boolean {
    return this.#indexed[slot] === true;
  }

  /** @param repositoryName the name by which the record is found too; `null` when it has none */
  add(slot: number, record: SearchableRecord, repositoryName: string | null): void {
    const marks: number[] = [];
    const heads = headsOf(record);
    for (const [text, inTitle] of recordWords(record, repositoryName)) {
      const word = this.vocabulary.word(text);
      word.occurrences.add(slot, inTitle);
      marks.push(wordMark(word.id, inTitle));
      addHeads(heads, text, inTitle);
    }
    for (const [head, inTitle] of heads) this.vocabulary.head(head).occurrences.add(slot, inTitle);
    this.wordLists.set(slot, marks);
    while (this.#indexed.length <= slot) this.#indexed.push(false);
    this.#indexed[slot] = true;
  }

  /** Takes out what {@link add} put in; the record must be the one that was added, but its repository's name is not needed. */
  remove(slot: number, record: SearchableRecord): void {
    if (!this.has(slot)) return;
    const heads = headsOf(record);
    for (const mark of this.wordLists.of(slot)) {
      const text = this.vocabulary.textOf(markedWord(mark));
      this.vocabulary.word(text).occurrences.remove(slot, isTitleMark(mark));
      addHeads(heads, text, isTitleMark(mark));
    }
    for (const [head, inTitle] of heads) this.vocabulary.head(head).occurrences.remove(slot, inTitle);
    this.wordLists.remove(slot);
    this.#indexed[slot] = false;
  }
}

/** The heads that a commit's sha stands under. */
function headsOf(record: SearchableRecord): Map<string, boolean> {
  const heads = new Map<string, boolean>();
  if (record.kind === 'commit') addHeads(heads, record.sha, true);
  return heads;
}

function addHeads(heads: Map<string, boolean>, word: string, inTitle: boolean): void {
  for (let length = 2; length <= HEAD_LENGTH; length++) {
    const head = firstCharacters(word, length);
    if (head !== null) heads.set(head, inTitle || heads.get(head) === true);
  }
}
