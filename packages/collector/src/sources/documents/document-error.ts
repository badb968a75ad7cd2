import { quotable } from '@vitrine/core';
import { SourceError } from '../../running/source-error.js';

const LONGEST = 2_000;

/** Why a document that was read cannot be used. The set is closed. */
type DocumentReason = 'not a feed' | 'not a status page' | 'not a forge' | 'not complete' | 'too many items' | 'too many elements' | 'front matter';

/** A document that cannot be used. The message is one line without control characters, although it may quote the document. What was stored from it before stays. */
export class DocumentError extends SourceError {
  constructor(reason: DocumentReason, detail: string) {
    super(`${reason}: ${quotable(detail, LONGEST)}`, reason.toUpperCase().replace(/ /g, '_'));
  }
}
