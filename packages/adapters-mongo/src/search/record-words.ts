import type { RecordWords, SearchableRecord } from '@vitrine/core';

/** The distinct words of a record. A word that is in a title field is not listed again among the others. */
export interface WordsOfRecord {
  readonly title: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
}

/** @param repositoryName the name of the repository, whose words count too; `null` if there is none */
export function wordsOf(words: RecordWords, record: SearchableRecord, repositoryName: string | null): WordsOfRecord {
  const title = new Set<string>();
  const other = new Set<string>();
  words.visit(record, repositoryName, (word, inTitle) => {
    if (inTitle) title.add(word);
    else if (!title.has(word)) other.add(word);
  });
  return { title, other };
}

/** Whether both records have the same words. */
export function sameWords(a: WordsOfRecord, b: WordsOfRecord): boolean {
  return sameSet(a.title, b.title) && sameSet(a.other, b.other);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}
