import {
  isSearchable,
  matchFields,
  repositoryField,
  scopeOfRecord,
  searchFieldsOf,
  type SearchableRecord,
  type SearchEntry,
  type SearchPosition,
  type SearchWords,
} from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { positionOfRecord } from './entry-place.js';
import type { EntryRow } from './entry-rows.js';
import { RepositoryNames } from './repository-names.js';

type Tier = SearchPosition['tier'];
type Kind = SearchableRecord['kind'];

/** Chooses the entries that are hits. The core's own rule judges each record, so the index never shows a record that does not match. */
export class Hits {
  readonly #reading: SqliteReading;
  readonly #words: SearchWords;
  readonly #names: RepositoryNames;

  constructor(reading: SqliteReading, words: SearchWords) {
    this.#reading = reading;
    this.#words = words;
    this.#names = new RepositoryNames(reading.database);
  }

  /** The hit of this tier; `null` if the record is none. */
  hitOf(row: EntryRow, tier: Tier): SearchEntry | null {
    const record = this.#reading.decoder.record(row.kind as Kind, row);
    if (record === null || !isSearchable(record)) return null;
    const fields = searchFieldsOf(record);
    // The name of the repository is no title. It is read only if the record's own fields lack a word.
    const found = matchFields(fields, this.#words) ?? this.#matchWithName(record, fields);
    if (found?.tier !== tier) return null;
    return { position: { tier, ...positionOfRecord(record) }, repositoryRef: scopeOfRecord(record), fields, record };
  }

  #matchWithName(record: SearchableRecord, fields: SearchEntry['fields']): ReturnType<typeof matchFields> {
    const name = this.#names.nameFor(record);
    return name === null ? null : matchFields([...fields, repositoryField(name)], this.#words);
  }
}
