import { setTimeout as sleep } from 'node:timers/promises';
import { MongoError, type ClientSession } from 'mongodb';

/** Long enough for an election. */
const RETRIED_FOR_MS = 5_000;
const PAUSE_MS = 20;

/**
 * Runs operations as one transaction; all of them must use the session. If it fails for a temporary reason, such as an election or a write conflict
 * on the same document, the operations run again.
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

/** If the response to a commit is lost, its outcome is unknown. The commit can be repeated, because the server remembers the outcome. */
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
