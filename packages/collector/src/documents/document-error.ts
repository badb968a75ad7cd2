import { quotable } from '@vitrine/core';

const LONGEST = 2_000;

/** Why a document that was read cannot be used. The set is closed. */
export type DocumentReason =
  | 'not a feed'
  | 'not a status page'
  | 'not a forge'
  | 'not complete'
  | 'too many items'
  | 'too many elements'
  | 'front matter';

/** A document that cannot be used. The message is one line without control characters, although it may quote the document. What was stored from it before stays. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  /** For sync records: `NOT_A_FEED`. */
  readonly code: string;

  constructor(
    readonly reason: DocumentReason,
    detail: string,
  ) {
    super(`${reason}: ${quotable(detail, LONGEST)}`);
    this.code = reason.toUpperCase().replace(/ /g, '_');
  }
}
