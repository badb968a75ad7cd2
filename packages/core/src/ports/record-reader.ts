import type { FilterOf, RecordOf, ScopedKind } from '../domain/kinds.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** The filters of a kind's list; `null` means any. */
export type ListFilters<Kind extends ScopedKind> = { readonly [Name in FilterOf<Kind>]: string | null };

/** The query of a kind's list. Its filters are those that `KINDS` names. */
export type ListQuery<Kind extends ScopedKind> = TimeListQuery & ListFilters<Kind>;

/** Reads the list of one kind. */
export interface ListReader<Kind extends ScopedKind> {
  list(approved: ApprovedRepositories, query: ListQuery<Kind>, context: ReadContext): Promise<TimePage<RecordOf<Kind>>>;
}

/** Reads the records of one kind. */
export interface RecordReader<Kind extends ScopedKind> extends ListReader<Kind> {
  /**
   * If two approved repositories use the same id, the record of the repository whose name sorts first.
   *
   * @param idKey the public id as `idKeyOf` returns it: of a release, its repository part is in lower case
   */
  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<RecordOf<Kind> | null>;
}
