import {
  daySlices,
  dayWindows,
  DAY,
  EvidenceRequest,
  RememberedPast,
  type Check,
  type CheckedDay,
  type CheckReader,
  type DaySlice,
  type DaysQuery,
  type EvidenceQuery,
  type Instant,
  type LatestState,
  type ReadContext,
  type ServiceDay,
  type ServiceEvidence,
  type StoredRecord,
  type TimeListQuery,
  type TimePage,
} from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { listChecks } from './check-list.js';
import { checkRecordsAfter } from './check-records.js';
import { ServiceFactReader } from './service-fact-reader.js';
import { StatusStore } from './status-store.js';

/** Raw checks of frozen days are deleted, so every stored check counts. */
const EVERY_CHECK = Number.NEGATIVE_INFINITY;

/** The reader of checks: it reads what the core's `EvidenceRequest` needs. */
export class SqliteCheckReader implements CheckReader {
  readonly #reading: SqliteReading;
  readonly #store: StatusStore;
  readonly #facts: ServiceFactReader;
  #past = new RememberedPast();
  #pastChanges = -1;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
    this.#store = new StatusStore(reading.database, reading.monitor);
    this.#facts = new ServiceFactReader(reading.database, this.#store, reading.monitor);
  }

  evidence({ serviceKeys, windows, now }: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    return this.#reading.snapshot(context, () => {
      this.#forgetChangedPast();
      const requests = this.#latestStates(serviceKeys).map(
        (latest) => new EvidenceRequest(latest, windows, now, this.#past.of(latest.serviceKey, now)),
      );
      this.#read(requests);
      const found = new Map<string, ServiceEvidence>();
      for (const request of requests) {
        const evidence = request.evidence(EVERY_CHECK);
        if (evidence !== null) found.set(request.serviceKey, evidence);
      }
      return found;
    });
  }

  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    return this.#reading.snapshot(context, () => listChecks(this.#reading.database, this.#store, serviceKey, query));
  }

  days({ serviceKeys, window, now }: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly DaySlice[]>> {
    return this.#reading.snapshot(context, () => {
      const asked = this.#latestStates(serviceKeys).map((latest) => {
        const windows = dayWindows(latest, window, now);
        return { windows, request: new EvidenceRequest(latest, windows, now) };
      });
      this.#read(asked.map(({ request }) => request));
      const found = new Map<string, readonly DaySlice[]>();
      for (const { windows, request } of asked) {
        const slices = daySlices(windows, request.tallies());
        if (slices.length > 0) found.set(request.serviceKey, slices);
      }
      return found;
    });
  }

  /**
   * A part of the export: checks, and the counts of days whose checks are gone.
   *
   * @param after what the part before returned as `next`; `null` for the first part
   * @param keptFrom days that start earlier are older than the retention
   */
  recordsAfter(after: string | null, keptFrom: Instant): { readonly records: readonly StoredRecord[]; readonly next: string | null } {
    return checkRecordsAfter(this.#reading.database, this.#store, { after, keptFrom });
  }

  /** The days whose raw checks are stored, by service, oldest first. */
  checkedDays(): ReadonlyMap<string, readonly CheckedDay[]> {
    return this.#store.checkedDays();
  }

  checksOf({ serviceKey, day }: ServiceDay): readonly Check[] {
    return this.#store.checksBetween(serviceKey, day, day + DAY - 1);
  }

  #latestStates(serviceKeys: readonly string[] | null): readonly LatestState[] {
    return serviceKeys === null ? this.#store.allLatest() : [...new Set(serviceKeys)].flatMap((key) => this.#store.latest(key) ?? []);
  }

  #read(requests: readonly EvidenceRequest[]): void {
    const asked = requests.flatMap((request) => {
      const needs = request.needs();
      return needs === null ? [] : [{ request, needs }];
    });
    const facts = this.#facts.facts(asked.map(({ needs }) => needs));
    for (const [index, fact] of facts.entries()) asked[index]?.request.learn(fact);
  }

  /** Another process may have changed days that have ended, too. */
  #forgetChangedPast(): void {
    const changes = this.#store.pastChanges;
    if (changes !== this.#pastChanges) this.#past = new RememberedPast();
    this.#pastChanges = changes;
  }
}
