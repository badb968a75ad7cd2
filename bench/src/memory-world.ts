import { FreshnessJudge, RepositoryGate, ScopedRecords, Search, ServiceBoard, type Deadlines, type StoreReaders } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';

export const clock = { now: () => NOW };
/** No deadlines, because nothing waits long here. */
const noDeadlines: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

/** A different sha for each serial number, evenly distributed. */
export function shaOf(serial: number): string {
  return (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
}

/** The objects that use cases share, created as in production. */
export function sharedParts(readers: StoreReaders) {
  const gate = new RepositoryGate(readers.repositories, { refused: () => undefined });
  const freshness = new FreshnessJudge(readers.syncs, clock);
  return { gate, freshness, records: new ScopedRecords(gate, freshness, clock) };
}

/** The search of a store, created as in production. */
export function searchOver(readers: StoreReaders): Search {
  const { gate, freshness } = sharedParts(readers);
  return new Search(readers.search, new ServiceBoard(readers.checks, { deadlines: noDeadlines }), gate, freshness, noDeadlines, clock);
}
