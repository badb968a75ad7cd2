import type { PlainRecord, RecordKind } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/document-spec.js';
import type { FoundDocuments } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** What the found documents mean; what cannot be used is told and left out. */
export function decoded<Meaning>(
  kind: RecordKind | 'search-entry',
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meanings: Meaning[] = [];
  for (const document of documents) {
    const meaning = damaged.has(document) ? NOT_UTF_8 : decode(document);
    if (meaning instanceof BadValue) monitor.quarantined(kind, idText(document), meaning.toString());
    else meanings.push(meaning);
  }
  return meanings;
}

export function recordsOf<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: FoundDocuments, monitor: QuarantineMonitor): Record[] {
  return decoded(spec.kind, found, monitor, (document) => spec.toRecord(document));
}

/** A stored id as text that is fit for a log. */
export function idText({ _id: id }: Document): string {
  return typeof id === 'string' ? id : JSON.stringify(id);
}
