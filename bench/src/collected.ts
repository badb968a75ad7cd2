import { Scheduler, type Source } from '@vitrine/collector';
import type { Clock, RecordStore } from '@vitrine/core';
import { mustBe } from './wrong-answer.js';

/** Runs each source once. The number of new records, not counting sync records. Throws a `WrongAnswerError` if a source fails. */
export async function collected({ writer, collection }: RecordStore, sources: readonly Source[], clock: Clock): Promise<number> {
  const errors: unknown[] = [];
  const scheduler = new Scheduler({ writer, collection, clock, onError: (_source, error) => errors.push(error) });
  const outcomes = await scheduler.runOnce(sources);
  await scheduler.stop();
  mustBe('failures', errors, []);
  return outcomes.reduce((total, { report }) => total + (report?.stored ?? 0), 0);
}
