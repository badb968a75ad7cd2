import { entryWords, repositoryField, searchFieldsOf, type SearchableRecord } from '@vitrine/core';

/** The words of a record, and whether a title field holds them. A commit's sha is left out: nearly every one would be a word of its own. */
export function recordWords(record: SearchableRecord, repositoryName: string | null): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>();
  const name = repositoryName === null ? [] : [repositoryField(repositoryName)];
  for (const { path, texts, isTitle } of [...searchFieldsOf(record), ...name]) {
    if (record.kind === 'commit' && path === 'sha') continue;
    for (const word of texts.flatMap(entryWords)) words.set(word, isTitle || words.get(word) === true);
  }
  return words;
}
