import { keyOfIdentity, publishableRecord, type PlainRecord } from '@vitrine/core';
import { BadValue, isPlainObject, type BsonSchema, type Codec } from './codec.js';
import { text } from './values.js';

/** A stored document as the driver reads and writes it. */
export type StoredDocument = Readonly<Record<string, unknown>> & { readonly _id: string };

/** A field that exists only for indexes. It is computed from the record and never read back. */
export interface DerivedField<Record> {
  readonly schema: BsonSchema;
  of(record: Record): unknown;
}

type DerivedFields<Record> = Readonly<{ [name: string]: DerivedField<Record> }>;

/** How records of one kind are stored. */
export interface DocumentSpec<Record extends PlainRecord> {
  readonly kind: Record['kind'];
  readonly schema: BsonSchema;
  /** The names of the fields that exist only for indexes. */
  readonly derived: readonly string[];
  toDocument(record: Record): StoredDocument;
  /** Never throws: the result for an invalid document is a `BadValue`. */
  toRecord(document: unknown): Record | BadValue;
}

/** @param fields the fields of the record without its kind, in the order of the record */
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
      // All fields were decoded, so this is a record of this kind.
      const record = { kind, ...decoded } as unknown as Record;
      const id = isPlainObject(document) ? document['_id'] : undefined;
      // A document whose id contradicts its fields would appear in the wrong place in lists.
      if (id !== keyOfIdentity(record)) return new BadValue('_id', 'wrong');
      // Another collector may have written the document.
      const published = publishableRecord(record);
      return typeof published === 'string' ? new BadValue('', published) : published;
    },
  };
}

/** The schema of documents with these fields, an `_id`, and the fields for indexes. */
export function schemaOf<Record>(fields: BsonSchema, derived: DerivedFields<Record> = {}): BsonSchema {
  const { properties, required } = fields as { readonly properties: object; readonly required: readonly string[] };
  const others = Object.entries(derived);
  return {
    bsonType: 'object',
    required: ['_id', ...required, ...others.map(([name]) => name)],
    properties: { _id: text.schema, ...properties, ...Object.fromEntries(others.map(([name, { schema }]) => [name, schema])) },
  };
}
