import type { Finding } from '../../domain/development/finding.js';
import type { WithRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { FindingReader } from '../../ports/finding-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListFindingsInput extends ScopedListInput {
  readonly status: string | null;
  readonly changeType: string | null;
}

/** The findings of approved repositories, newest first. */
export class ListFindings {
  readonly #findings: FindingReader;
  readonly #records: ScopedRecords;

  constructor(findings: FindingReader, records: ScopedRecords) {
    this.#findings = findings;
    this.#records = records;
  }

  execute(input: ListFindingsInput, context: UseCaseContext): Promise<PageAnswer<WithRepository<Finding>, TimePosition>> {
    const { status, changeType } = input;
    return this.#records.ownedPage('finding', input, context, (approved, range) =>
      this.#findings.list(approved, { ...range, status, changeType }, context),
    );
  }
}
