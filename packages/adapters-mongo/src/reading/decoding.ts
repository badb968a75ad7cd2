import type { PlainRecord } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/document-spec.js';
import type { FoundDocuments } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

/** The records among what was found; what cannot be used is told and left out. */
export function recordsOf<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: FoundDocuments, monitor: QuarantineMonitor): Record[] {
  const records: Record[] = [];
  for (const document of found.documents) {
    const record = found.damaged.has(document) ? new BadValue('', 'wrong') : spec.toRecord(document);
    if (record instanceof BadValue) monitor.quarantined(spec.kind, idText(document), `${record.path}: ${record.reason}`);
    else records.push(record);
  }
  return records;
}

/** A stored id as text that is fit for a log. */
export function idText({ _id: id }: Document): string {
  return typeof id === 'string' ? id : JSON.stringify(id);
}
