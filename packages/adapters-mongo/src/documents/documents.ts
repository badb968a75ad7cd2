import type { PlainRecord } from '@vitrine/core';
import type { CollectionName } from '../collections.js';
import type { BadValue, BsonSchema } from './codec.js';
import { articleDocument, newsDocument, videoDocument } from './content-documents.js';
import { commitDocument, findingDocument, releaseDocument } from './development-documents.js';
import type { StoredDocument } from './document-spec.js';
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

/** Where each kind is stored, and how; repositories first, so that an import can take them in this order. */
export const STORED_KINDS: Readonly<Record<PlainRecord['kind'], StoredKind>> = {
  repository: { collection: 'repositories', spec: repositoryDocument },
  service: { collection: 'services', spec: serviceDocument },
  commit: { collection: 'commits', spec: commitDocument },
  release: { collection: 'releases', spec: releaseDocument },
  finding: { collection: 'findings', spec: findingDocument },
  build: { collection: 'builds', spec: buildDocument },
  mission: { collection: 'missions', spec: missionDocument },
  news: { collection: 'news', spec: newsDocument },
  article: { collection: 'articles', spec: articleDocument },
  video: { collection: 'videos', spec: videoDocument },
  incident: { collection: 'incidents', spec: incidentDocument },
  sync: { collection: 'syncs', spec: syncDocument },
};
