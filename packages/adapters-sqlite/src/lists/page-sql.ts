import { ROW_COLUMNS } from '../records/record-row.js';

/** What distinguishes the statements that read pages. Their values are parameters. */
export interface PageShape {
  readonly scopes: number;
  /** The number of lists that are merged in each scope. */
  readonly lists: number;
  /** For each further filter, the number of lists of which a record must be in one. */
  readonly filters: readonly number[];
  /** Whether records after a given time are read only if they are in a given list. */
  readonly hasException: boolean;
}

/** The parameters that all parts of a page share: the time range, the position after which the page starts, and its length. */
const SHARED = 5;
const RANGE = 'l.time <= ?1 and l.time >= ?2 and (l.time < ?3 or l.key > ?4)';

/**
 * Reads a page along one range of the primary key of `listing` for each list and repository. SQLite merges the ranges and stops at the end of the
 * page, so nothing is sorted. `union` removes records that are in two of the lists.
 */
export function mergedPageSql({ scopes, lists, filters, hasException }: PageShape): string {
  const firstScope = SHARED + lists + 1;
  const conditions = conditionsOf(filters, hasException, firstScope + scopes);
  const ranges = numbers(scopes).flatMap((scope) =>
    numbers(lists).map(
      (list) =>
        `select l.time, l.key, l.record from listing l where l.list = ?${SHARED + 1 + list} and l.scope = ?${firstScope + scope} and ${RANGE}${conditions}`,
    ),
  );
  const merged = `${ranges.join(' union ')} order by 1 desc, 2 limit ?5`;
  return `select r.json, p.key, p.time from (${merged}) p cross join record r on r.id = p.record`;
}

/** Reads a page along the time of all records of a kind, for more repositories than can be merged. Hidden records are passed in the index. */
export const WIDE_PAGE_SQL = `select ${ROW_COLUMNS} from record l indexed by record_time where kind = ?6 and ${RANGE}
  and scope in (select value from json_each(?7)) order by l.time desc, l.key limit ?5`;

function conditionsOf(filters: readonly number[], hasException: boolean, first: number): string {
  let next = first;
  const parameters = (count: number): string =>
    numbers(count)
      .map(() => `?${next++}`)
      .join(', ');
  const also = filters.map((count) => ` and ${isIn(parameters(count))}`).join('');
  return hasException ? `${also} and (l.time <= ?${next++} or ${isIn(parameters(1))})` : also;
}

function isIn(lists: string): string {
  return `exists (select 1 from listing f where f.list in (${lists}) and f.scope = l.scope and f.time = l.time and f.key = l.key)`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
