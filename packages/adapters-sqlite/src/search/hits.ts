import {
  isFoundUntil,
  matchFields,
  repositoryField,
  scopeOfRecord,
  searchFieldsOf,
  type Instant,
  type SearchableRecord,
  type SearchEntry,
  type SearchPosition,
  type SearchWords,
} from '@vitrine/core';
import { listTimeOf } from '../records/record-row.js';
import { positionOfRecord } from './entry-place.js';
import type { EntryRow } from './entry-rows.js';

/** The repository name whose words count for a record besides its own fields; `null` if there is none. */
export type NameFor = (record: SearchableRecord) => string | null;

/** Chooses the entries that are hits. The core's own rule judges each record, so the index never shows a record that does not match. */
export class Hits {
  readonly #words: SearchWords;
  readonly #to: Instant;
  readonly #nameFor: NameFor;

  constructor(words: SearchWords, to: Instant, nameFor: NameFor) {
    this.#words = words;
    this.#to = to;
    this.#nameFor = nameFor;
  }

  /** The hit of this tier; `null` if the record is none. If its time has changed, another entry will have its new place. */
  hitOf(row: EntryRow, record: SearchableRecord | null, tier: SearchPosition['tier']): SearchEntry | null {
    if (record === null || listTimeOf(record) !== row.time || !isFoundUntil(record, this.#to)) return null;
    const fields = searchFieldsOf(record);
    // The name of the repository is no title. It is read only if the record's own fields lack a word.
    const found = matchFields(fields, this.#words) ?? this.#matchWithName(record, fields);
    if (found?.tier !== tier) return null;
    return { position: { tier, ...positionOfRecord(record) }, repositoryRef: scopeOfRecord(record), fields, record };
  }

  #matchWithName(record: SearchableRecord, fields: SearchEntry['fields']): ReturnType<typeof matchFields> {
    const name = this.#nameFor(record);
    return name === null ? null : matchFields([...fields, repositoryField(name)], this.#words);
  }
}
