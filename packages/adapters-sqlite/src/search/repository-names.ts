import { entryWords, nameOfRef, type RepositoryRef, type SearchableRecord, searchedRepositoryOf } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

const NAME_SQL = `select json ->> 'fullName' from record where kind = 'repository' and key = ? and json_valid(json)`;

/** The repository names whose words count for records: in the spelling of the stored repository, or else that of the ref. Each is read once. */
export class RepositoryNames {
  readonly #known = new Map<RepositoryRef, string>();

  constructor(private readonly database: SqliteDatabase) {}

  /** The repository name whose words count for a record besides its own fields; `null` if there is none. */
  nameFor(record: SearchableRecord): string | null {
    const ref = searchedRepositoryOf(record);
    return ref === null ? null : this.#nameOf(ref);
  }

  #nameOf(ref: RepositoryRef): string {
    let name = this.#known.get(ref);
    if (name === undefined) {
      const stored = this.database.row(NAME_SQL, ref)?.[0];
      name = typeof stored === 'string' ? stored : nameOfRef(ref);
      this.#known.set(ref, name);
    }
    return name;
  }
}

/** Whether both names have the same words. */
export function isSameName(before: string, after: string): boolean {
  return before === after || entryWords(before).sort().join(' ') === entryWords(after).sort().join(' ');
}
