import type { Release } from '../../domain/development/release.js';
import type { WithRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { ReleaseReader } from '../../ports/release-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListReleasesInput extends ScopedListInput {
  readonly platform: string | null;
  readonly releaseType: string | null;
}

/** The releases of approved repositories, newest first. */
export class ListReleases {
  readonly #releases: ReleaseReader;
  readonly #records: ScopedRecords;

  constructor(releases: ReleaseReader, records: ScopedRecords) {
    this.#releases = releases;
    this.#records = records;
  }

  execute(input: ListReleasesInput, context: UseCaseContext): Promise<PageAnswer<WithRepository<Release>, TimePosition>> {
    const { platform, releaseType } = input;
    return this.#records.ownedPage('release', input, context, (approved, range) =>
      this.#releases.list(approved, { ...range, platform, releaseType }, context),
    );
  }
}
