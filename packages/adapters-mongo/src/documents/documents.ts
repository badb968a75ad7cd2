import { KINDS, LISTED_KINDS, type ListedKind, type PlainRecord, type RecordOf } from '@vitrine/core';
import type { CollectionName } from '../collections.js';
import type { BadValue, BsonSchema } from './codec.js';
import { articleDocument, newsDocument, videoDocument } from './content-documents.js';
import { commitDocument, findingDocument, releaseDocument } from './development-documents.js';
import type { DocumentSpec, StoredDocument } from './document-spec.js';
import { repositoryDocument } from './repository-document.js';
import { incidentDocument, serviceDocument, syncDocument } from './status-documents.js';
import { buildDocument, missionDocument } from './work-documents.js';

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

/** How the records of each listed kind are stored. Their collection has the plural of the kind as its name. */
export const LISTED_DOCUMENTS: { readonly [Kind in ListedKind]: DocumentSpec<RecordOf<Kind>> } = {
  commit: commitDocument,
  release: releaseDocument,
  finding: findingDocument,
  build: buildDocument,
  mission: missionDocument,
  news: newsDocument,
  article: articleDocument,
  video: videoDocument,
  incident: incidentDocument,
};

const LISTED = Object.fromEntries(
  LISTED_KINDS.map((kind): [ListedKind, StoredKind] => [kind, { collection: KINDS[kind].plural, spec: LISTED_DOCUMENTS[kind] }]),
) as Readonly<Record<ListedKind, StoredKind>>;

/** Where each kind is stored, and how; repositories first, so that an import can take them in this order. */
export const STORED_KINDS: Readonly<Record<PlainRecord['kind'], StoredKind>> = {
  repository: { collection: 'repositories', spec: repositoryDocument },
  service: { collection: 'services', spec: serviceDocument },
  ...LISTED,
  sync: { collection: 'syncs', spec: syncDocument },
};
