import type { RecordWriter } from '@vitrine/core';

/** Makes a call of a writer. */
type Around = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * A writer that passes each call on. To change some calls, spread it and replace them: a new method of the port is then passed on by all such writers.
 *
 * @param around makes every call, for example only while something holds
 */
export function wrappedWriter(writer: RecordWriter, around: Around = (call) => call()): RecordWriter {
  return {
    put: (records, context) => around(() => writer.put(records, context)),
    remove: (identities, context) => around(() => writer.remove(identities, context)),
    withdraw: (source, context) => around(() => writer.withdraw(source, context)),
    moveCommits: (ref, changes, context) => around(() => writer.moveCommits(ref, changes, context)),
    indexFor: (approved, context) => around(() => writer.indexFor(approved, context)),
  };
}
