import { FACTS, isListedKind, keyOfIdentity, KINDS, PLAIN_KINDS, publishableRecord, syncOf, timeOf, vouchedRecord, vouchersOf } from '@vitrine/core';
import type { DescribedRecords, ListedKind, PlainRecord, PluralOf, RecordKind, SyncFields, VouchedRecord, Voucher } from '@vitrine/core';
import type { Document } from 'mongodb';
import { VOUCHERS } from '../collections.js';
import { BadValue, type BsonSchema, type Codec, codecOfFields, instant, isPlainObject, list, type StoredDocument, text } from './codec.js';

/** A field that exists only for indexes. It is computed from the record and never read back. */
interface DerivedField {
  readonly schema: BsonSchema;
  of(record: PlainRecord): unknown;
}

export interface DocumentSpec<Record extends PlainRecord = PlainRecord> {
  readonly kind: Record['kind'];
  readonly collection: PluralOf<ListedKind> | 'repositories' | 'services' | 'syncs';
  readonly schema: BsonSchema;
  /** The names of the fields that exist only for indexes. */
  readonly derived: readonly string[];
  toDocument(record: Record): StoredDocument;
  /** Never throws: the result for an invalid document is a `BadValue`. */
  readonly toRecord: (document: unknown) => Record | BadValue;
}

type Kind = PlainRecord['kind'];

/** Another collector may write sync records of an older version, which have fewer fields. */
const LATER_SYNC_FIELDS = ['sourceType', 'label', 'firstAttemptAt', 'lastAttemptAt', 'lastFailureAt', 'lastFailureCode'];

const storedSync = codecOfFields(
  Object.fromEntries(
    Object.entries(FACTS.sync.fields).map(([name, field]) => [name, LATER_SYNC_FIELDS.includes(name) ? { ...field, optional: true } : field]),
  ),
);

const anySync: Codec<object> = {
  ...storedSync,
  decode: (stored, path) => {
    const fields = storedSync.decode(stored, path);
    if (fields instanceof BadValue) return fields;
    const { kind: _kind, ...sync } = syncOf(fields as SyncFields);
    return sync;
  },
};

const LISTED_AT: DerivedField = { schema: instant.schema, of: (record) => instant.encode(timeOf(record as DescribedRecords[ListedKind])) };
const AUTHOR_KEYS: DerivedField = {
  schema: list(text).schema,
  of: (record) => (record.kind === 'commit' ? authorKeys(record.authorLogin, record.authorName) : []),
};

/** A kind with several times has the first known one in a field, and a kind with authors their names. */
function derivedOf(kind: Kind): Readonly<Record<string, DerivedField>> {
  if (!isListedKind(kind)) return {};
  const { times, filters } = KINDS[kind];
  return { ...('author' in filters && { authorKeys: AUTHOR_KEYS }), ...(times.length > 1 && { listedAt: LISTED_AT }) };
}

function collectionOf(kind: Kind): DocumentSpec['collection'] {
  if (kind === 'repository') return 'repositories';
  return kind === 'service' || kind === 'sync' ? `${kind}s` : KINDS[kind].plural;
}

/** The fields of a document are those of the kind's table, in its order. */
function documentSpec(kind: Kind): DocumentSpec {
  const fields = kind === 'sync' ? anySync : codecOfFields(FACTS[kind].fields);
  const derived = Object.entries(derivedOf(kind));
  return {
    kind,
    collection: collectionOf(kind),
    schema: schemaOf(fields.schema, derived),
    derived: derived.map(([name]) => name),
    toDocument(record) {
      const document: { [name: string]: unknown; _id: string } = { _id: keyOfIdentity(record), ...(fields.encode(record) as object) };
      for (const [name, field] of derived) document[name] = field.of(record);
      return document;
    },
    toRecord(document) {
      const decoded = fields.decode(document, '');
      if (decoded instanceof BadValue) return decoded;
      // All fields were decoded, so this is a record of this kind.
      const record = { kind, ...decoded } as PlainRecord;
      const id = isPlainObject(document) ? document['_id'] : undefined;
      // A document whose id contradicts its fields would appear in the wrong place in lists.
      if (id !== keyOfIdentity(record)) return new BadValue('_id', 'wrong');
      // Another collector may have written the document.
      const published = publishableRecord(record);
      return typeof published === 'string' ? new BadValue('', published) : published;
    },
  };
}

export function schemaOf(fields: BsonSchema, derived: readonly (readonly [string, DerivedField])[] = []): BsonSchema {
  const { properties, required } = fields as { readonly properties: object; readonly required: readonly string[] };
  return {
    bsonType: 'object',
    required: ['_id', ...required, ...derived.map(([name]) => name)],
    properties: { _id: text.schema, ...properties, ...Object.fromEntries(derived.map(([name, { schema }]) => [name, schema])) },
  };
}

/** How the records of each kind are stored, in the order that an import needs. */
export const DOCUMENTS = Object.fromEntries(PLAIN_KINDS.map((kind) => [kind, documentSpec(kind)])) as unknown as {
  readonly [Own in Kind]: DocumentSpec<DescribedRecords[Own]>;
};

/** Whether records of a kind belong to no repository, and have no field for it. */
export function isUnscoped(kind: RecordKind): boolean {
  return kind === 'service' || (isListedKind(kind) && KINDS[kind].ownership === 'never');
}

export function specOf(kind: Kind): DocumentSpec {
  return DOCUMENTS[kind];
}

/** The stored values by which the filter `author` finds a commit: its login in any case, or its exact name. */
export function authorKeys(login: string, name: string): readonly string[] {
  return [...(login === '' ? [] : [`login=${login.toLowerCase()}`]), `name=${name}`].map((key) => key.toWellFormed());
}

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
