import { quotable, type PlainRecord, type RecordKind } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/document-spec.js';
import type { FoundDocuments } from './find-documents.js';
import type { QuarantineMonitor } from './quarantine.js';

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** What the found documents mean; what cannot be used is told and left out. */
export function decoded<Meaning>(
  kind: RecordKind | 'search-block',
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meaningOf = (document: Document) => (damaged.has(document) ? NOT_UTF_8 : decode(document));
  return usable(kind, documents, monitor, meaningOf, (document) => document);
}

/** What can be used of the found; of the rest is told where it stands. */
export function usable<Found, Meaning>(
  kind: RecordKind | 'search-block',
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

/** A stored id as text that is fit for a log. One that names another repository would tell of it. */
function idText({ _id: id, repositoryRef }: Document, { reason }: BadValue): string {
  if (reason === 'foreign-id') return `one of ${quotable(String(repositoryRef))}`;
  return quotable(typeof id === 'string' ? id : JSON.stringify(id));
}
