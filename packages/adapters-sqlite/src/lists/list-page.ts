import {
  comparePositions,
  EARLIEST_INSTANT,
  KINDS,
  LATEST_INSTANT,
  pageOf,
  positionOf,
  textsAt,
  type AskedFilter,
  type ListedKind,
  type ListedRecord,
  type Page,
  type RecordOf,
  type ScopeRef,
  type TimeListQuery,
  type TimePosition,
} from '@vitrine/core';
import type { SqlRow, SqlValue } from '../database/sqlite-database.js';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { ROW_COLUMNS, rowOf, type RecordRow } from '../records/decoding.js';

/** The request for one page of one kind. */
export interface ListQuestion<Kind extends ListedKind> {
  readonly kind: Kind;
  readonly scopes: readonly ScopeRef[];
  readonly query: TimeListQuery;
  /** A record must match all filters. It matches a filter if it is in one of its lists. */
  readonly filters: readonly (readonly ListName[])[];
  /** Records that are not shown yet are passed. Default: all are shown. */
  readonly isShown?: (record: RecordOf<Kind>) => boolean;
}

/** The most ranges that one statement merges; above, a walk along time is faster. */
const MAX_MERGED = 200;
/** A number that no list has. */
const NO_LIST = 0;

/** One page of one kind. Records that cannot be decoded are left out, and the page is still full. */
export function pageOfKind<Kind extends ListedKind>(reading: SqliteReading, question: ListQuestion<Kind>): Page<RecordOf<Kind>, TimePosition> {
  const { kind, query, isShown = () => true } = question;
  const found: RecordOf<Kind>[] = [];
  let read = 0;
  // Not from the last row on: its key may be damaged, and then it is no position.
  for (let size = query.limit + 1; ; size *= 2) {
    const rows = firstRows(reading, question, size);
    for (const row of rows.slice(read)) {
      const record = reading.decoder.record(kind, row);
      if (record !== null && isShown(record)) found.push(record);
    }
    read = rows.length;
    if (found.length > query.limit || read < size) break;
  }
  return pageOf(found.slice(0, query.limit + 1), query.limit, positionOf);
}

/** At most `size` rows, in the order of the list. */
function firstRows<Kind extends ListedKind>(reading: SqliteReading, question: ListQuestion<Kind>, size: number): readonly RecordRow[] {
  const { kind, query, filters } = question;
  if (filters.some(({ length }) => length === 0)) return [];
  const scopes = reading.scopes.ofAll(question.scopes);
  const range = rangeOf(query, size);
  const [leading = [kind], ...others] = filters;
  const perStatement = Math.floor(MAX_MERGED / leading.length);
  if (scopes.length > perStatement && filters.length === 0)
    return reading.database.rows(WIDE_PAGE_SQL, ...range, kind, JSON.stringify(scopes)).map(rowOf);
  const lists = { leading: idsOf(reading, leading), others: others.map((names) => idsOf(reading, names)) };
  const parts = inParts(scopes, perStatement).map((part) => mergedRows(reading, range, lists, part).map(rowOf));
  return parts.length === 1 ? (parts[0] ?? []) : mergedParts(parts, size);
}

interface ListIds {
  readonly leading: readonly number[];
  readonly others: readonly (readonly number[])[];
}

function mergedRows(reading: SqliteReading, range: readonly SqlValue[], { leading, others }: ListIds, scopes: readonly number[]): readonly SqlRow[] {
  const shape = { scopes: scopes.length, lists: leading.length, filters: others.map(({ length }) => length) };
  return reading.database.rows(mergedPageSql(shape), ...range, ...leading, ...scopes, ...others.flat());
}

/** The five shared parameters of a page. */
function rangeOf({ after, from, to }: TimeListQuery, size: number): readonly SqlValue[] {
  const end = Math.min(to, after?.time ?? to);
  return [end, from ?? EARLIEST_INSTANT, after?.time ?? LATEST_INSTANT + 1, after?.id ?? '', size];
}

/**
 * A value that only hidden records have must take as long as a value that no record has. So a name without a list gets a number without records, and
 * the same ranges are read.
 */
function idsOf({ database }: SqliteReading, names: readonly ListName[]): readonly number[] {
  return names.map((name) => database.number('select id from list where name = ?', name) || NO_LIST);
}

function mergedParts(parts: readonly (readonly RecordRow[])[], size: number): readonly RecordRow[] {
  const place = ({ time, key }: RecordRow): TimePosition => ({ time: time ?? 0, id: key });
  return parts
    .flat()
    .sort((a, b) => comparePositions(place(a), place(b)))
    .slice(0, size);
}

function inParts<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) => items.slice(part * size, (part + 1) * size));
}

/** The name of one list: all records of a kind, or those that match one value of one filter. */
export type ListName = ListedKind | `${ListedKind} ${string}=${string}`;

/** Every list that the record is in. */
export function listsOf(record: ListedRecord): readonly ListName[] {
  const { kind } = record;
  const values = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) =>
    textsAt(record, path.split('.')).map((value) => `${kind} ${name}=${value}` as const),
  );
  return [kind, ...new Set([...values, ...authorLists(record)])];
}

/** The lists that together contain the records that match a filter. */
export function listsWith(kind: ListedKind, { name, values }: AskedFilter): readonly ListName[] {
  return values.flatMap((value) =>
    name === 'author' ? [`${kind} login=${value.toLowerCase()}` as const, `${kind} name=${value}` as const] : [`${kind} ${name}=${value}` as const],
  );
}

/** The lists of authors, whose names are not the value of one field. */
function authorLists(record: ListedRecord): readonly ListName[] {
  if (record.kind !== 'commit') return [];
  const login = record.authorLogin.toLowerCase();
  return [...(login === '' ? [] : [`commit login=${login}` as const]), `commit name=${record.authorName}`];
}

/** What distinguishes the statements that read pages. Their values are parameters. */
interface PageShape {
  readonly scopes: number;
  /** The number of lists that are merged in each scope. */
  readonly lists: number;
  /** For each further filter, the number of lists of which a record must be in one. */
  readonly filters: readonly number[];
}

/** The parameters that all parts of a page share: the time range, the position after which the page starts, and its length. */
const SHARED = 5;
const RANGE = 'l.time <= ?1 and l.time >= ?2 and (l.time < ?3 or l.key > ?4)';

/**
 * Reads a page along one range of the primary key of `listing` for each list and repository. SQLite merges the ranges and stops at the end of the
 * page, so nothing is sorted. `union` removes records that are in two of the lists.
 */
function mergedPageSql({ scopes, lists, filters }: PageShape): string {
  const firstScope = SHARED + lists + 1;
  const conditions = conditionsOf(filters, firstScope + scopes);
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
const WIDE_PAGE_SQL = `select ${ROW_COLUMNS} from record l indexed by record_time where kind = ?6 and ${RANGE}
  and scope in (select value from json_each(?7)) order by l.time desc, l.key limit ?5`;

function conditionsOf(filters: readonly number[], first: number): string {
  let next = first;
  const parameters = (count: number): string =>
    numbers(count)
      .map(() => `?${next++}`)
      .join(', ');
  return filters.map((count) => ` and ${isIn(parameters(count))}`).join('');
}

function isIn(lists: string): string {
  return `exists (select 1 from listing f where f.list in (${lists}) and f.scope = l.scope and f.time = l.time and f.key = l.key)`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
