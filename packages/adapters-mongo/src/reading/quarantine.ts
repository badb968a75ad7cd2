import type { RecordKind } from '@vitrine/core';

/** Hears of stored documents that cannot be used. They are passed over, and pages are filled with the next. */
export interface QuarantineMonitor {
  /**
   * @param kind of the record, or `search-block`
   * @param id the document's `_id` as a log may quote it: at most 80 characters, without e-mail addresses, and no name of another repository
   * @param reason such as `committedAt: wrong` or `email-in-identifier`
   */
  quarantined(kind: RecordKind | 'search-block', id: string, reason: string): void;
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };
