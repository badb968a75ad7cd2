import type { SearchableRecord } from '../domain/search/searchable-record.js';
import type { SearchField } from '../domain/search/search-entry.js';
import { repositoryField, searchFieldsOf } from './search-fields.js';
import { entryWords } from './tokenize.js';

/** Fields whose texts many records share. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(['authorName', 'authorLogin', 'repository.fullName', 'source', 'tags', 'labels']);
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 256;

/** Tells the words under which records are found, and remembers those of texts that come again and again. */
export class RecordWords {
  readonly #shared = new Map<string, readonly string[]>();

  /**
   * Visits the words of a record, those of its title fields first; a word may come again. A commit's sha is left out: nearly every one would be
   * a word of its own.
   *
   * @param repositoryName the name by which the record is found too; `null` when it has none
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
