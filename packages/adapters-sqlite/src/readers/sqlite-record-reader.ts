import {
  KINDS,
  type ApprovedRepositories,
  type ListQuery,
  type ReadContext,
  type RecordOf,
  type RecordReader,
  type ScopedKind,
  type TimePage,
} from '@vitrine/core';
import { filterLists } from '../lists/list-names.js';
import { pageOfKind } from '../lists/list-page.js';
import { byIdKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Reads every kind that has no special port. */
export class SqliteRecordReader<Kind extends ScopedKind> implements RecordReader<Kind> {
  readonly #reading: SqliteReading;
  readonly #kind: Kind;
  readonly #isOwned: boolean;

  constructor(reading: SqliteReading, kind: Kind) {
    this.#reading = reading;
    this.#kind = kind;
    this.#isOwned = KINDS[kind].ownership === 'always';
  }

  list(approved: ApprovedRepositories, query: ListQuery<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>> {
    const kind = this.#kind;
    const filters = filterLists(kind, query);
    const scopes = this.#isOwned ? approved.refs : approved.scopes;
    return this.#reading.answer(context, () => pageOfKind(this.#reading, { kind, scopes, query, filters }));
  }

  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<RecordOf<Kind> | null> {
    return this.#reading.answer(context, () => byIdKey(this.#reading, this.#kind, approved.scopes, idKey));
  }
}
