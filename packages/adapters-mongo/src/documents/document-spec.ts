import { keyOfIdentity, publishableRecord, type PlainRecord } from '@vitrine/core';
import { BadValue, isPlainObject, type BsonSchema, type Codec } from './codec.js';
import { text } from './values.js';

/** A stored document as the driver gives and takes it. */
export type StoredDocument = Readonly<Record<string, unknown>> & { readonly _id: string };

/** A field that a document holds for its indexes only; made from the record, never read back. */
export interface DerivedField<Record> {
  readonly schema: BsonSchema;
  of(record: Record): unknown;
}

type DerivedFields<Record> = Readonly<{ [name: string]: DerivedField<Record> }>;

/** How the records of one kind are stored. */
export interface DocumentSpec<Record extends PlainRecord> {
  readonly kind: Record['kind'];
  readonly schema: BsonSchema;
  /** The names of the fields that are there for indexes only. */
  readonly derived: readonly string[];
  toDocument(record: Record): StoredDocument;
  /** Total: what cannot be used is told, and never thrown. */
  toRecord(document: unknown): Record | BadValue;
}

/** @param fields of the record without its kind; their order is that of the record */
export function documentSpec<Record extends PlainRecord>(
  kind: Record['kind'],
  fields: Codec<Omit<Record, 'kind'>>,
  derived: DerivedFields<Record> = {},
): DocumentSpec<Record> {
  return {
    kind,
    schema: schemaOf(fields.schema, derived),
    derived: Object.keys(derived),
    toDocument(record) {
      const document: { [name: string]: unknown; _id: string } = { _id: keyOfIdentity(record), ...(fields.encode(record) as object) };
      for (const [name, field] of Object.entries(derived)) document[name] = field.of(record);
      return document;
    },
    toRecord(document) {
      const decoded = fields.decode(document, '');
      if (decoded instanceof BadValue) return decoded;
      // Put together from decoded fields alone, so it is a record of this kind.
      const record = { kind, ...decoded } as unknown as Record;
      const id = isPlainObject(document) ? document['_id'] : undefined;
      // An id that contradicts the fields would stand in lists where it does not belong.
      if (id !== keyOfIdentity(record)) return new BadValue('_id', 'wrong');
      // The writer may have been anybody's.
      const published = publishableRecord(record);
      return typeof published === 'string' ? new BadValue('', published) : published;
    },
  };
}

/** The schema of documents with such fields, an `_id`, and fields for indexes. */
export function schemaOf<Record>(fields: BsonSchema, derived: DerivedFields<Record> = {}): BsonSchema {
  const { properties, required } = fields as { readonly properties: object; readonly required: readonly string[] };
  const others = Object.entries(derived);
  return {
    bsonType: 'object',
    required: ['_id', ...required, ...others.map(([name]) => name)],
    properties: { _id: text.schema, ...properties, ...Object.fromEntries(others.map(([name, { schema }]) => [name, schema])) },
  };
}
