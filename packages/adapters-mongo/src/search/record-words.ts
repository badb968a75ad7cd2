import type { RecordWords, SearchableRecord } from '@vitrine/core';

/** The words of a record, each once: where a title field holds one, it is not among the others. */
export interface WordsOfRecord {
  readonly title: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
}

/** @param repositoryName the name by which the record is found too; `null` when it has none */
export function wordsOf(words: RecordWords, record: SearchableRecord, repositoryName: string | null): WordsOfRecord {
  const title = new Set<string>();
  const other = new Set<string>();
  words.visit(record, repositoryName, (word, inTitle) => {
    if (inTitle) title.add(word);
    else if (!title.has(word)) other.add(word);
  });
  return { title, other };
}

/** Whether two records are found by the same words. */
export function sameWords(a: WordsOfRecord, b: WordsOfRecord): boolean {
  return sameSet(a.title, b.title) && sameSet(a.other, b.other);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}
