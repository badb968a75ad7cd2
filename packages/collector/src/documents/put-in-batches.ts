import type { Instant, StoredRecord } from '@vitrine/core';
import type { SourceContext } from '../source.js';

/** A call of the writer with more records would hold others up for longer. */
const BATCH = 1_000;
const REASONS = {
  'email-in-identifier': 'their ids or addresses contain an email address',
  'foreign-id': 'their ids name another repository',
  'frozen-day': 'their days are complete',
  'open-day': 'their days are not complete',
  'unknown-commit': 'no source has stored these commits',
} as const;

/** What {@link putInBatches} has done. */
export interface PutTotals {
  readonly stored: number;
  readonly unchanged: number;
  /** One line for each reason for which the store has refused records. */
  readonly refused: readonly string[];
}

/** Stores records, and tells their number. @param filledAt the time that stands for "not known" in the records, as in `PutContext`; `null` if every time is known */
export async function putInBatches(records: readonly StoredRecord[], filledAt: Instant | null, context: SourceContext): Promise<PutTotals> {
  const refused = new Map<keyof typeof REASONS, number>();
  let [stored, unchanged] = [0, 0];
  for (let start = 0; start < records.length; start += BATCH) {
    const report = await context.writer.put(records.slice(start, start + BATCH), { signal: context.signal, ...(filledAt !== null && { filledAt }) });
    stored += report.stored;
    unchanged += report.unchanged;
    for (const { reason } of report.refused) refused.set(reason, (refused.get(reason) ?? 0) + 1);
    context.progress(Math.min(records.length, start + BATCH), 'records', records.length);
  }
  const lines = [...refused].map(([reason, count]) => `records that were left out, because ${REASONS[reason]}: ${String(count)}`);
  return { stored, unchanged, refused: lines };
}
