import { vouchedRecord, vouchersOf, type PlainRecord, type VouchedRecord, type Voucher } from '@vitrine/core';
import type { Document } from 'mongodb';
import { VOUCHERS } from '../collections.js';
import { BadValue, isPlainObject, type StoredDocument } from './codec.js';
import { specOf } from './documents.js';

/** The filter for records for which the source or no source vouches. */
export function ofSource(source: string | null): Document {
  return source === null ? {} : { [`${VOUCHERS}.source`]: { $in: [source, null] } };
}

/** The vouchers of a record as a part of its document: none, if no source vouches. */
export function vouchersField(vouched: VouchedRecord): Document {
  const vouchers = vouchersOf(vouched);
  if (vouchers.length === 0) return {};
  return { [VOUCHERS]: vouchers.map((voucher, index) => encoded(voucher, vouched.statements[index]?.record ?? vouched.record)) };
}

/** The whole document of a record. */
export function vouchedDocument(vouched: VouchedRecord): StoredDocument {
  const { record } = vouched;
  return { ...specOf(record.kind).toDocument(record), ...vouchersField(vouched) };
}

/** A stored record with the statements of its sources. A statement that cannot be decoded counts as one that agrees with the record. */
export function vouchedOf(kind: PlainRecord['kind'], document: Document): VouchedRecord | BadValue {
  const spec = specOf(kind);
  const record = spec.toRecord(document);
  if (record instanceof BadValue) return record;
  const stored: unknown = document[VOUCHERS];
  const vouchers = (Array.isArray(stored) ? stored : []).flatMap((voucher: unknown): readonly Voucher[] => {
    const [source, says] = isPlainObject(voucher) ? [voucher['source'], voucher['says']] : [];
    if (typeof source !== 'string') return [];
    const said = isPlainObject(says) ? spec.toRecord({ ...document, ...says }) : record;
    return [{ source, says: said instanceof BadValue || !isPlainObject(says) ? {} : picked(said, Object.keys(says)) }];
  });
  return vouchedRecord(record, vouchers);
}

function encoded({ source, says }: Voucher, said: PlainRecord): Document {
  const names = Object.keys(says);
  return names.length === 0 ? { source } : { source, says: picked(specOf(said.kind).toDocument(said), names) };
}

function picked(from: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name): [string, unknown] => [name, Reflect.get(from, name)]));
}
