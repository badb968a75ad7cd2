import type { RecordOf, ScopedKind } from '../../domain/kinds.js';
import { idKeyOfPublicId } from '../../domain/record-key.js';
import type { RecordReader } from '../../ports/record-reader.js';
import type { Answer } from './answer.js';
import type { ViewOf } from './repository-gate.js';
import type { IdInput, ScopedRecords } from './scoped-records.js';
import type { UseCaseContext } from './use-case-context.js';

/** One record of a kind by its public id, beside its repository. */
export class GetRecord<Kind extends ScopedKind> {
  readonly #kind: Kind;
  readonly #reader: RecordReader<Kind>;
  readonly #records: ScopedRecords;

  constructor(kind: Kind, reader: RecordReader<Kind>, records: ScopedRecords) {
    this.#kind = kind;
    this.#reader = reader;
    this.#records = records;
  }

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<ViewOf<RecordOf<Kind>>>> {
    const record = await this.#reader.byId(context.approved, idKeyOfPublicId(this.#kind, id), context);
    return this.#records.one<RecordOf<Kind>>(this.#kind, record, context);
  }
}
