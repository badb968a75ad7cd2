import type { PlainRecord } from '../domain/identity-key.js';
import type { Instant } from '../domain/shared/instant.js';
import { inKeptOrder, isMergedKind, mergedRecord, rebasedStatement, type Statement } from './field-authority.js';
import { keepFirst } from './keep-first.js';
import { sameValue } from './same-value.js';

/** A stored record with the statement of each source that vouches for it. */
export interface VouchedRecord {
  /** The record that readers show. */
  readonly record: PlainRecord;
  /** One statement for each source, in a fixed order. Empty if no source vouches: the record was imported, or stored by an older version. */
  readonly statements: readonly Statement[];
}

/** The part of a statement that is stored beside the record. */
export interface Voucher {
  readonly source: string;
  /** The fields in which the source contradicts the record; empty if it says the same. */
  readonly says: Readonly<Record<string, unknown>>;
}

export interface PutOptions {
  /** The source that says so; `null` if the caller is not a source. */
  readonly source: string | null;
  /** As in `PutContext`. */
  readonly filledAt?: Instant | undefined;
}

/**
 * The stored record after a source has put its version. Without a source, the given record replaces the shown one, and the sources that agreed with a field agree with its new value. `null` if the
 * sources do not bring such a record: see {@link mergedRecord}.
 */
export function withStatement(stored: VouchedRecord | null, given: PlainRecord, { source, filledAt }: PutOptions): VouchedRecord | null {
  const { record: shown, statements } = stored ?? NOT_STORED;
  if (source === null || given.kind === 'sync') return vouchedRecord(keepFirst(given, shown, filledAt), vouchersIn(stored));
  const others = statements.filter((statement) => statement.source !== source);
  if (!isMergedKind(given.kind)) return agreeing(keepFirst(given, shown, filledAt), [...others.map((other) => other.source), source]);
  const own = others.length === 0 ? { record: shown } : statements.find((statement) => statement.source === source);
  return merged([...others, { source, record: keepFirst(given, own?.record ?? null, filledAt) }]);
}

const NOT_STORED = { record: null, statements: [] };

function vouchersIn(stored: VouchedRecord | null): readonly Voucher[] {
  return stored === null ? [] : vouchersOf(stored);
}

/**
 * The stored record after a source has withdrawn its statement. `null` if no other source vouches for it: then it is removed. A record for which nobody
 * vouches is removed too.
 *
 * @param source `null` removes the record in any case
 */
export function withoutStatement(stored: VouchedRecord, source: string | null): VouchedRecord | null {
  const others = source === null ? [] : stored.statements.filter((statement) => statement.source !== source);
  if (others.length === 0) return null;
  if (others.length === stored.statements.length) return stored;
  return isMergedKind(stored.record.kind) ? merged(others) : { record: stored.record, statements: others };
}

/** Whether the same sources vouch for both, and say the same. */
export function sameVouchers(a: VouchedRecord, b: VouchedRecord): boolean {
  const [left, right] = [vouchersOf(a), vouchersOf(b)];
  return (
    left.length === right.length && left.every(({ source, says }, index) => source === right[index]?.source && sameValue(says, right[index].says))
  );
}

/** The statement of each of its sources; the record itself if no source vouches for it. */
export function statedBy({ record, statements }: VouchedRecord): readonly { readonly record: PlainRecord; readonly source: string | null }[] {
  return statements.length === 0 ? [{ record, source: null }] : statements;
}

/** What is stored of the statements. */
export function vouchersOf({ record, statements }: VouchedRecord): readonly Voucher[] {
  return statements.map(({ source, record: said }) => ({ source, says: said === record ? NOTHING : differences(said, record) }));
}

/** The inverse of {@link vouchersOf}. A source without a statement about a field agrees with the record. */
export function vouchedRecord(record: PlainRecord, vouchers: readonly Voucher[]): VouchedRecord {
  const statements = vouchers.map(({ source, says }) => ({ source, record: isEmpty(says) ? record : { ...record, ...says } }));
  return { record, statements: inKeptOrder(statements) };
}

const NOTHING: Voucher['says'] = {};

function merged(statements: readonly Statement[]): VouchedRecord | null {
  const record = mergedRecord(statements);
  return record === null ? null : { record, statements: inKeptOrder(statements.map((statement) => rebasedStatement(statement, record))) };
}

function agreeing(record: PlainRecord, sources: readonly string[]): VouchedRecord {
  return { record, statements: inKeptOrder(sources.map((source) => ({ source, record }))) };
}

function differences(said: PlainRecord, record: PlainRecord): Voucher['says'] {
  const fields = Object.fromEntries(Object.entries(said).filter(([name, value]) => !sameValue(value, Reflect.get(record, name))));
  return isEmpty(fields) ? NOTHING : fields;
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}
