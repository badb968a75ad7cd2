import { quotable, type PlainRecord, type RecordKind } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/document-spec.js';
import type { FoundDocuments } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** Decodes the found documents. Invalid documents are reported and left out. */
export function decoded<Meaning>(
  kind: RecordKind,
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meaningOf = (document: Document) => (damaged.has(document) ? NOT_UTF_8 : decode(document));
  return usable(kind, documents, monitor, meaningOf, (document) => document);
}

/** The items that can be decoded. For the others, the monitor gets the id. */
export function usable<Found, Meaning>(
  kind: RecordKind,
  found: readonly Found[],
  monitor: QuarantineMonitor,
  meaningOf: (one: Found) => Meaning | BadValue,
  documentOf: (one: Found) => Document,
): Meaning[] {
  const meanings: Meaning[] = [];
  for (const one of found) {
    const meaning = meaningOf(one);
    if (meaning instanceof BadValue) monitor.quarantined(kind, idText(documentOf(one), meaning), meaning.toString());
    else meanings.push(meaning);
  }
  return meanings;
}

export function recordsOf<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: FoundDocuments, monitor: QuarantineMonitor): Record[] {
  return decoded(spec.kind, found, monitor, (document) => spec.toRecord(document));
}

/** A stored id as text for the log. The id of another repository's record is not shown, because it would reveal that repository. */
function idText({ _id: id, repositoryRef }: Document, { reason }: BadValue): string {
  if (reason === 'foreign-id') return `one of ${quotable(String(repositoryRef))}`;
  return quotable(typeof id === 'string' ? id : JSON.stringify(id));
}
