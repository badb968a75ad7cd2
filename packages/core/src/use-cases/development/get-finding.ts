import type { Finding } from '../../domain/development/finding.js';
import type { WithRepository } from '../../domain/repositories/repository.js';
import type { FindingReader } from '../../ports/finding-reader.js';
import type { Answer } from '../shared/answer.js';
import type { IdInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** One finding by its public id. */
export class GetFinding {
  readonly #findings: FindingReader;
  readonly #records: ScopedRecords;

  constructor(findings: FindingReader, records: ScopedRecords) {
    this.#findings = findings;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<WithRepository<Finding>>> {
    return this.#records.ownedOne('finding', await this.#findings.byId(context.approved, id, context), context);
  }
}
