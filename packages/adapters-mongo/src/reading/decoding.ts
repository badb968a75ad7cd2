import { quotable, type PlainRecord, type RecordKind } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/documents.js';
import type { FoundDocuments } from './find-documents.js';

/** Receives stored documents that cannot be decoded. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param id the `_id` of the document in a form that may be logged: at most 80 characters, without e-mail addresses and without the name of another repository
   * @param reason for example `committedAt: wrong` or `email-in-identifier`
   */
  quarantined(kind: RecordKind, id: string, reason: string): void;
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** Decodes the found documents. Invalid documents are reported and left out. */
export function decoded<Meaning>(
  kind: RecordKind,
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meanings: Meaning[] = [];
  for (const document of documents) {
    const meaning = damaged.has(document) ? NOT_UTF_8 : decode(document);
    if (meaning instanceof BadValue) monitor.quarantined(kind, idText(document, meaning), meaning.toString());
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
