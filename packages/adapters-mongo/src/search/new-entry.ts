import { keyOfIdentity, scopeOfRecord, searchTimeOf, searchTypeOf, type RecordWords, type SearchableRecord } from '@vitrine/core';
import { nameFor, type RepositoryNames } from './repository-names.js';
import type { NewEntry } from './segments/segment.js';
import { shaTerm, titleTerm } from './segments/terms.js';

/** The search entry of a record. */
export function newEntry(words: RecordWords, record: SearchableRecord, names: RepositoryNames): NewEntry {
  return { type: searchTypeOf(record), entry: entryOf(record, false), terms: termsOf(words, record, nameFor(record, names)) };
}

/** A tombstone for the stored position of a record. */
export function tombstoneOf(record: SearchableRecord): NewEntry {
  return { type: searchTypeOf(record), entry: entryOf(record, true), terms: [] };
}

function entryOf(record: SearchableRecord, isTombstone: boolean): NewEntry['entry'] {
  return { time: searchTimeOf(record), recordKey: keyOfIdentity(record), repositoryRef: scopeOfRecord(record), isTombstone };
}

/** A word that is in a title field is not listed again among the others. Commits are also found by a prefix of their sha. */
function termsOf(words: RecordWords, record: SearchableRecord, repositoryName: string | null): readonly string[] {
  const [title, other] = [new Set<string>(), new Set<string>()];
  words.visit(record, repositoryName, (word, isTitle) => {
    if (isTitle) title.add(word);
    else if (!title.has(word)) other.add(word);
  });
  return [...[...title].map(titleTerm), ...other, ...(record.kind === 'commit' ? [shaTerm(record.sha)] : [])];
}

/** Whether both entries have the same terms. */
export function haveSameTerms({ terms: a }: NewEntry, { terms: b }: NewEntry): boolean {
  const known = new Set(a);
  return a.length === b.length && b.every((term) => known.has(term));
}
