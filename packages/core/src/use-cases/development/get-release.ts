import type { Release } from '../../domain/development/release.js';
import { releaseIdKey } from '../../domain/record-key.js';
import type { WithRepository } from '../../domain/repositories/repository.js';
import type { ReleaseReader } from '../../ports/release-reader.js';
import type { Answer } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** One release by its public id. */
export class GetRelease {
  readonly #releases: ReleaseReader;
  readonly #records: ScopedRecords;

  constructor(releases: ReleaseReader, records: ScopedRecords) {
    this.#releases = releases;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<WithRepository<Release>>> {
    return this.#records.ownedOne('release', await this.#releases.byId(context.approved, releaseIdKey(id), context), context);
  }
}
