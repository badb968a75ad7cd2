import type { RecordWriter } from '@vitrine/core';
import type { MongoWriters } from '../../src/index.js';

/** A writer whose calls also wait for the merges that they cause, so that a test can compare what is stored. */
export function settlingWriter({ writer, settled }: MongoWriters): RecordWriter {
  const whenSettled = <Result>(call: Promise<Result>): Promise<Result> => call.finally(() => settled());
  return {
    put: (...call) => whenSettled(writer.put(...call)),
    remove: (...call) => whenSettled(writer.remove(...call)),
    withdraw: (...call) => whenSettled(writer.withdraw(...call)),
    moveCommits: (...call) => whenSettled(writer.moveCommits(...call)),
    indexFor: (...call) => whenSettled(writer.indexFor(...call)),
  };
}
