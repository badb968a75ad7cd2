import { entryWords, repositoryField, searchFieldsOf, type SearchableRecord, type SearchField } from '@vitrine/core';

/** Fields whose texts many records share. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(['authorName', 'authorLogin', 'repository.fullName', 'source', 'tags', 'labels']);
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 256;

/** The words of a record, each once: where a title field holds one, it is not among the others. */
export interface WordsOfRecord {
  readonly title: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
}

/** Tells the words of records, and remembers those of texts that come again and again. */
export class RecordWords {
  readonly #shared = new Map<string, readonly string[]>();

  /**
   * A commit's sha is left out: nearly every one would be a word of its own.
   *
   * @param repositoryName the name by which the record is found too; `null` when it has none
   */
  of(record: SearchableRecord, repositoryName: string | null): WordsOfRecord {
    const fields = searchFieldsOf(record).filter(({ path }) => record.kind !== 'commit' || path !== 'sha');
    const title = new Set<string>();
    const other = new Set<string>();
    for (const field of fields) if (field.isTitle) this.#visit(field, (word) => title.add(word));
    const addOther = (word: string) => title.has(word) || other.add(word);
    for (const field of fields) if (!field.isTitle) this.#visit(field, addOther);
    if (repositoryName !== null) this.#visit(repositoryField(repositoryName), addOther);
    return { title, other };
  }

  #visit({ path, texts }: SearchField, visit: (word: string) => void): void {
    const isShared = SHARED_FIELDS.has(path);
    for (const text of texts) for (const word of isShared ? this.#sharedWords(text) : entryWords(text)) visit(word);
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

/** Whether two records are found by the same words. */
export function sameWords(a: WordsOfRecord, b: WordsOfRecord): boolean {
  return sameSet(a.title, b.title) && sameSet(a.other, b.other);
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}
