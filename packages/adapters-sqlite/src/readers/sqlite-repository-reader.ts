import {
  compareText,
  nameOfRef,
  pageOf,
  type ApprovedRepositories,
  type NamePosition,
  type Page,
  type ReadContext,
  type Repository,
  type RepositoryQuery,
  type RepositoryReader,
  type RepositoryRef,
} from '@vitrine/core';
import type { SqliteReading } from './sqlite-reading.js';
import { storedRepositories } from './stored-repository.js';

export class SqliteRepositoryReader implements RepositoryReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    return this.#reading.answer(context, () => {
      // The refs are in the order of the list.
      const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
      const found: Repository[] = [];
      for (let start = 0; start < refs.length && found.length <= limit; start += limit + 1)
        found.push(...storedRepositories(this.#reading, refs.slice(start, start + limit + 1)));
      return pageOf(found.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    });
  }

  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    return this.#reading.answer(context, () =>
      storedRepositories(
        this.#reading,
        [...new Set(refs)].filter((ref) => approved.admits(ref)),
      ),
    );
  }
}
