import type { RecordOf, ScopedKind } from '../../domain/kinds.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { ListFilters, ListReader } from '../../ports/record-reader.js';
import type { PageAnswer } from './answer.js';
import type { ViewOf } from './repository-gate.js';
import type { ScopedListInput, ScopedRecords } from './scoped-records.js';
import type { UseCaseContext } from './use-case-context.js';

/** The input of a kind's list: its range, its repository, and the filters that `KINDS` names. */
export type ListRecordsInput<Kind extends ScopedKind> = ScopedListInput & ListFilters<Kind>;

/** The records of one kind, newest first, each beside its repository. */
export class ListRecords<Kind extends ScopedKind> {
  readonly #kind: Kind;
  readonly #reader: ListReader<Kind>;
  readonly #records: ScopedRecords;

  constructor(kind: Kind, reader: ListReader<Kind>, records: ScopedRecords) {
    this.#kind = kind;
    this.#reader = reader;
    this.#records = records;
  }

  execute(input: ListRecordsInput<Kind>, context: UseCaseContext): Promise<PageAnswer<ViewOf<RecordOf<Kind>>, TimePosition>> {
    return this.#records.page<RecordOf<Kind>>(this.#kind, input, context, (approved, range) =>
      this.#reader.list(approved, { ...input, ...range }, context),
    );
  }
}
