import { KINDS, LISTED_KINDS, type ListedKind, type PlainRecord } from '@vitrine/core';
import type { CollectionName } from '../collections.js';
import type { BadValue, BsonSchema } from './codec.js';
import type { StoredDocument } from './document-spec.js';
import { DOCUMENTS } from './record-documents.js';

/** A spec whose kind is known only at run time. */
export interface PlainDocumentSpec {
  readonly kind: PlainRecord['kind'];
  readonly schema: BsonSchema;
  toDocument(record: PlainRecord): StoredDocument;
  toRecord(document: unknown): PlainRecord | BadValue;
}

export interface StoredKind {
  readonly collection: CollectionName;
  readonly spec: PlainDocumentSpec;
}

const LISTED = Object.fromEntries(
  LISTED_KINDS.map((kind): [ListedKind, StoredKind] => [kind, { collection: KINDS[kind].plural, spec: DOCUMENTS[kind] }]),
) as Readonly<Record<ListedKind, StoredKind>>;

/** Where each kind is stored, and how; repositories first, so that an import can take them in this order. */
export const STORED_KINDS: Readonly<Record<PlainRecord['kind'], StoredKind>> = {
  repository: { collection: 'repositories', spec: DOCUMENTS.repository },
  service: { collection: 'services', spec: DOCUMENTS.service },
  ...LISTED,
  sync: { collection: 'syncs', spec: DOCUMENTS.sync },
};
