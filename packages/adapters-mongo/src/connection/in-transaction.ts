import { setTimeout as sleep } from 'node:timers/promises';
import { MongoError, type ClientSession } from 'mongodb';

/** Long enough for an election. */
const RETRIED_FOR_MS = 5_000;
const PAUSE_MS = 20;

/**
 * Runs operations that all name the session, and take place together or not at all. What fails for the moment, because of an election or of
 * somebody else who changes the same document, is run again.
 */
export async function inTransaction<Result>(session: ClientSession, run: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + RETRIED_FOR_MS;
  for (;;) {
    session.startTransaction();
    try {
      const result = await run();
      await commit(session, end);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      if (!hasLabel(error, 'TransientTransactionError') || performance.now() >= end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** Whether a transaction took place may be unknown when the answer is lost; the server knows, and may be asked again. */
async function commit(session: ClientSession, end: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || performance.now() >= end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}
