import { comparePositions, EARLIEST_INSTANT, inParts, KINDS, LATEST_INSTANT, pageOf, positionOf, textsAt } from '@vitrine/core';
import type { AskedFilter, ListedKind, ListedRecord, PageQuestion, RecordOf, ScopeRef, TimeListQuery, TimePage, TimePosition } from '@vitrine/core';
import type { SqlValue } from '../database/sqlite-database.js';
import { firstDecoded, type RecordRow, rowOf, type SqliteReading } from '../records/reading.js';

type ListQuestion<Kind extends ListedKind> = Omit<PageQuestion<Kind>, 'approved'> & { readonly scopes: readonly ScopeRef[] };

/** The ranges that one statement merges, unless a filter has more values. SQLite accepts 500. */
const MAX_MERGED = 200;
const NO_LIST = 0;

/** One page of one kind. Records that cannot be decoded are left out, and the page is still full. */
export function pageOfKind<Kind extends ListedKind>(reading: SqliteReading, question: ListQuestion<Kind>): TimePage<RecordOf<Kind>> {
  const { kind, query, isShown = () => true } = question;
  const shown = (row: RecordRow): RecordOf<Kind> | null => {
    const record = reading.decoder.record(kind, row);
    return record !== null && isShown(record) ? record : null;
  };
  const found = firstDecoded(query.limit + 1, (size) => firstRows(reading, question, size), shown);
  return pageOf(found, query.limit, positionOf);
}

function firstRows<Kind extends ListedKind>(reading: SqliteReading, question: ListQuestion<Kind>, size: number): readonly RecordRow[] {
  const { kind, query, filters } = question;
  // A record matches a filter if it is in one of its lists.
  const [leading = [kind], ...others] = filters.map((filter) => listsWith(kind, filter));
  const lists = idsOf(reading, leading);
  const conditions = others.map((names) => idsOf(reading, names));
  const scopesAtOnce = Math.max(1, Math.floor(MAX_MERGED / lists.length));
  const approved = reading.scopes.ofAll(question.scopes);
  const range = rangeOf(query, size);
  const scopes = approved.length > scopesAtOnce ? leadingScopes(reading, range, { lists, scopes: approved, conditions }) : approved;
  const parts = inParts(scopes, scopesAtOnce).map((part) => {
    const ranges = part.flatMap((scope) => lists.flatMap((list) => [list, scope]));
    const sql = mergedPageSql(part.length * lists.length, conditions);
    return reading.database.rows(sql, ...range, ...ranges, ...conditions.flat()).map(rowOf);
  });
  return parts.length === 1 ? parts.flat() : mergedParts(parts, size);
}

interface Places {
  readonly lists: readonly number[];
  readonly scopes: readonly number[];
  readonly conditions: readonly (readonly number[])[];
}

/** Of many repositories, those that can have records on the page: their newest records in the range are the newest. */
function leadingScopes({ database }: SqliteReading, range: readonly SqlValue[], { lists, scopes, conditions }: Places): readonly number[] {
  const rows = database.rows(leadingScopesSql(conditions), ...range, JSON.stringify(lists), JSON.stringify(scopes), ...conditions.flat());
  return [...new Set(rows.map(([scope]) => Number(scope)))];
}

function rangeOf({ after, from, to }: TimeListQuery, size: number): readonly SqlValue[] {
  const end = Math.min(to, after?.time ?? to);
  return [end, from ?? EARLIEST_INSTANT, after?.time ?? LATEST_INSTANT + 1, after?.id ?? '', size];
}

/** A value that only hidden records have must take as long as a value that no record has. So a name without a list gets a number without records, and the same ranges are read. */
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

/** The name of one list: all records of a kind, or those that match one value of one filter. */
export type ListName = ListedKind | `${ListedKind} ${string}=${string}`;

export function listsOf(record: ListedRecord): readonly ListName[] {
  const { kind } = record;
  const values = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) =>
    textsAt(record, path.split('.')).map((value) => `${kind} ${name}=${value}` as const),
  );
  return [kind, ...new Set([...values, ...authorLists(record)])];
}

function listsWith(kind: ListedKind, { name, values }: AskedFilter): readonly ListName[] {
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

/** The parameters that all parts of a page share: the time range, the position after which the page starts, and its length. */
const SHARED = 5;
const RANGE = 'l.time <= ?1 and l.time >= ?2 and (l.time < ?3 or l.key > ?4)';

/**
 * Reads a page along ranges of the primary key of `listing`: one for each list and repository. SQLite merges the ranges and stops at the end of the page, so nothing is
 * sorted. `union` removes records that are in two of the lists. All values are parameters.
 *
 * @param conditions for each further filter, the lists of which a record must be in one
 */
function mergedPageSql(ranges: number, conditions: Places['conditions']): string {
  const next = parametersAfter(SHARED);
  const places = times(ranges, () => `l.list = ${next()} and l.scope = ${next()}`);
  const matches = matching(conditions, next);
  const merged = places.map((place) => `select l.time, l.key, l.record from listing l where ${place} and ${RANGE}${matches}`).join(' union ');
  return `select r.json, p.key, p.time from (${merged} order by 1 desc, 2 limit ?5) p cross join record r on r.id = p.record`;
}

/**
 * Reads the first place of each range by the primary key of `listing`, and sorts these. A record is the first of at most as many ranges as there are lists, so the
 * places that are read hold as many records as the page. The parameters 6 and 7 are the lists and the repositories, as JSON.
 */
function leadingScopesSql(conditions: Places['conditions']): string {
  const range = `l.list = n.value and l.scope = s.value and ${RANGE}${matching(conditions, parametersAfter(SHARED + 2))}`;
  const first = `select l.time, l.key from listing l where ${range} order by l.time desc, l.key limit 1`;
  return `select l.scope from json_each(?6) n cross join json_each(?7) s cross join listing l
    where l.list = n.value and l.scope = s.value and (l.time, l.key) = (${first}) order by l.time desc, l.key limit ?5 * json_array_length(?6)`;
}

function matching(conditions: Places['conditions'], next: () => string): string {
  const isIn = (lists: string): string =>
    ` and exists (select 1 from listing f where f.list in (${lists}) and f.scope = l.scope and f.time = l.time and f.key = l.key)`;
  return conditions.map(({ length }) => isIn(times(length, next).join(', '))).join('');
}

function parametersAfter(count: number): () => string {
  let parameter = count;
  return () => `?${++parameter}`;
}

function times(count: number, make: () => string): readonly string[] {
  return Array.from({ length: count }, make);
}
