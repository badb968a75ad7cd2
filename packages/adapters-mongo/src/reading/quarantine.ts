import type { RecordKind } from '@vitrine/core';

/** Receives stored documents that cannot be decoded. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param id the `_id` of the document in a form that may be logged: at most 80 characters, without e-mail addresses and without the name of another repository
   * @param reason for example `committedAt: wrong` or `email-in-identifier`
   */
  quarantined(kind: RecordKind, id: string, reason: string): void;
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };
