import type { SearchableRecord } from '../domain/search/searchable-record.js';
import type { SearchField } from '../domain/search/search-entry.js';
import { repositoryField, searchFieldsOf } from './search-fields.js';
import { entryWords } from './tokenize.js';

/** Fields that have the same text in many records. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(['authorName', 'authorLogin', 'repository.fullName', 'source', 'tags', 'labels']);
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 256;

/** Returns the words under which records are found. Caches the words of texts that many records share. */
export class RecordWords {
  readonly #shared = new Map<string, readonly string[]>();

  /**
   * Visits the words of a record, those of its title fields first. A word may be visited more than once. The sha of a commit is left out, because
   * nearly every sha would add a new word.
   *
   * @param repositoryName the name of the record's repository, whose words are visited too; `null` if there is none
   */
  visit(record: SearchableRecord, repositoryName: string | null, visit: (word: string, inTitle: boolean) => void): void {
    const fields = searchFieldsOf(record).filter(({ path }) => record.kind !== 'commit' || path !== 'sha');
    for (const field of fields) if (field.isTitle) this.#visitField(field, visit);
    for (const field of fields) if (!field.isTitle) this.#visitField(field, visit);
    if (repositoryName !== null) this.#visitField(repositoryField(repositoryName), visit);
  }

  #visitField({ path, texts, isTitle }: SearchField, visit: (word: string, inTitle: boolean) => void): void {
    const isShared = SHARED_FIELDS.has(path);
    for (const text of texts) for (const word of isShared ? this.#sharedWords(text) : entryWords(text)) visit(word, isTitle);
  }

  #sharedWords(text: string): readonly string[] {
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    const words = entryWords(text);
    if (this.#shared.size >= MAX_CACHED) this.#shared.clear();
    if (text.length <= MAX_CACHED_LENGTH) this.#shared.set(text, words);
    return words;
  }
}
