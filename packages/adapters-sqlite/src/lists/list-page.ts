import {
  comparePositions,
  EARLIEST_INSTANT,
  LATEST_INSTANT,
  pageOf,
  positionOf,
  type Instant,
  type ListedKind,
  type Page,
  type RecordOf,
  type ScopeRef,
  type TimeListQuery,
  type TimePosition,
} from '@vitrine/core';
import type { SqlRow, SqlValue } from '../database/sqlite-database.js';
import { rowOf, type RecordRow } from '../records/record-row.js';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import type { ListName } from './list-names.js';
import { mergedPageSql, WIDE_PAGE_SQL } from './page-sql.js';

/** The request for one page of one kind. */
export interface ListQuestion<Kind extends ListedKind> {
  readonly kind: Kind;
  readonly scopes: readonly ScopeRef[];
  readonly query: TimeListQuery;
  /** A record must match all filters. It matches a filter if it is in one of its lists. */
  readonly filters: readonly (readonly ListName[])[];
  /** Records after the time are in the page only if they are in the list. */
  readonly exception?: { readonly after: Instant; readonly list: ListName };
}

/** The most ranges that one statement merges; above, a walk along time is faster. */
const MAX_MERGED = 200;
/** A number that no list has. */
const NO_LIST = 0;

/** One page of one kind. Records that cannot be decoded are left out, and the page is still full. */
export function pageOfKind<Kind extends ListedKind>(reading: SqliteReading, question: ListQuestion<Kind>): Page<RecordOf<Kind>, TimePosition> {
  const { kind, query } = question;
  const found: RecordOf<Kind>[] = [];
  let read = 0;
  // Not from the last row on: its key may be damaged, and then it is no position.
  for (let size = query.limit + 1; ; size *= 2) {
    const rows = firstRows(reading, question, size);
    found.push(...rows.slice(read).flatMap((row) => reading.decoder.record(kind, row) ?? []));
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
  const parts = inParts(scopes, perStatement).map((part) => mergedRows(reading, question, range, lists, part).map(rowOf));
  return parts.length === 1 ? (parts[0] ?? []) : mergedParts(parts, size);
}

interface ListIds {
  readonly leading: readonly number[];
  readonly others: readonly (readonly number[])[];
}

function mergedRows(
  reading: SqliteReading,
  { exception }: ListQuestion<ListedKind>,
  range: readonly SqlValue[],
  { leading, others }: ListIds,
  scopes: readonly number[],
): readonly SqlRow[] {
  const shape = { scopes: scopes.length, lists: leading.length, filters: others.map(({ length }) => length), hasException: exception !== undefined };
  const excepted = exception === undefined ? [] : [exception.after, ...idsOf(reading, [exception.list])];
  return reading.database.rows(mergedPageSql(shape), ...range, ...leading, ...scopes, ...others.flat(), ...excepted);
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
