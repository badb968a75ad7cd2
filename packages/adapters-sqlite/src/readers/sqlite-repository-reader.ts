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
import { storedRepository } from './stored-repository.js';

export class SqliteRepositoryReader implements RepositoryReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    return this.#reading.answer(context, () => {
      const found: Repository[] = [];
      // The refs are in the order of the list.
      for (const ref of approved.refs) {
        if (found.length > limit) break;
        if (after !== null && compareText(nameOfRef(ref), after.fullName) <= 0) continue;
        const repository = storedRepository(this.#reading, ref);
        if (repository !== null) found.push(repository);
      }
      return pageOf(found, limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    });
  }

  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    return this.#reading.answer(context, () =>
      [...new Set(refs)].filter((ref) => approved.admits(ref)).flatMap((ref) => storedRepository(this.#reading, ref) ?? []),
    );
  }
}
