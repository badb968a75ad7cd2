import {
  daySlices,
  dayWindows,
  EvidenceRequest,
  RememberedPast,
  uptimeWindows,
  type Check,
  type CheckReader,
  type DaySlice,
  type DaysQuery,
  type EvidenceQuery,
  type Instant,
  type LatestState,
  type ReadContext,
  type ServiceEvidence,
  type TimeListQuery,
  type TimePage,
} from '@vitrine/core';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { listChecks } from './check-list.js';
import { readBeforeGaps } from './before-gaps.js';
import { readEdges } from './edge-reads.js';
import { readSums } from './sum-reads.js';
import { trailOf } from './trail-document.js';

/** The reader of checks. It reads what the core's `EvidenceRequest` needs, and remembers what it read of days that have ended for a minute. */
export class MongoCheckReader implements CheckReader {
  readonly #reading: MongoReading;
  readonly #retentionMs: number;
  readonly #past = new RememberedPast();
  #warming: Promise<unknown> = Promise.resolve();

  /** @param retentionMs how long raw checks are kept */
  constructor(reading: MongoReading, retentionMs: number) {
    this.#reading = reading;
    this.#retentionMs = retentionMs;
  }

  /**
   * Reads what a status needs of days that have ended. Requests wait for it, because it takes longer to read this twice at the same time. Never rejects: a request
   * that meets the same problem reports it.
   */
  async warm(): Promise<void> {
    const now = this.#reading.clock.now();
    const context = { signal: new AbortController().signal };
    this.#warming = this.#evidence({ serviceKeys: null, windows: uptimeWindows(now), now }, context).catch(() => undefined);
    await this.#warming;
  }

  /** Needs at most three queries: latest states, sums of days, and the edges of windows. A fourth one only for services without checks on the day before an edge. */
  async evidence(query: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    await this.#warming;
    return this.#evidence(query, context);
  }

  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    return listChecks(this.#reading, serviceKey, query, this.#keptFrom(), context);
  }

  /** Needs at most three queries, as {@link evidence}. */
  async days({ serviceKeys, window, now }: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly DaySlice[]>> {
    const asked = (await this.#latestStates(serviceKeys, context)).map((latest) => {
      const windows = dayWindows(latest, window, now);
      return { windows, request: new EvidenceRequest(latest, windows, now) };
    });
    await this.#read(
      asked.map(({ request }) => request),
      context,
    );
    const found = new Map<string, readonly DaySlice[]>();
    for (const { windows, request } of asked) {
      const slices = daySlices(windows, request.tallies());
      if (slices.length > 0) found.set(request.serviceKey, slices);
    }
    return found;
  }

  async #evidence({ serviceKeys, windows, now }: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    const states = await this.#latestStates(serviceKeys, context);
    const requests = states.map((latest) => new EvidenceRequest(latest, windows, now, this.#past.of(latest.serviceKey, now)));
    await this.#read(requests, context);
    const found = new Map<string, ServiceEvidence>();
    for (const request of requests) {
      const evidence = request.evidence(this.#keptFrom());
      if (evidence !== null) found.set(request.serviceKey, evidence);
    }
    return found;
  }

  async #latestStates(serviceKeys: readonly string[] | null, context: ReadContext): Promise<LatestState[]> {
    const filter = serviceKeys === null ? { _id: { $gt: '' } } : { _id: { $in: [...serviceKeys] } };
    const found = await this.#reading.run(context, (options) => findDocuments(this.#reading.collections.of('status_trails'), filter, options));
    return decoded('status-day', found, this.#reading.monitor, trailOf);
  }

  async #read(requests: readonly EvidenceRequest[], context: ReadContext): Promise<void> {
    const asked = requests.flatMap((request) => {
      const needs = request.needs();
      return needs === null ? [] : [{ request, needs }];
    });
    const needs = asked.map((one) => one.needs);
    const [sums, edgesOf] = await Promise.all([readSums(this.#reading, needs, context), readEdges(this.#reading, needs, context)]);
    const facts = new Map(needs.map(({ serviceKey }) => [serviceKey, { sums: sums.of(serviceKey), ...edgesOf(serviceKey) }]));
    await readBeforeGaps(this.#reading, needs, facts, context);
    for (const {
      request,
      needs: { serviceKey },
    } of asked) {
      const found = facts.get(serviceKey);
      if (found !== undefined) request.learn(found);
    }
  }

  #keptFrom(): Instant {
    return this.#reading.clock.now() - this.#retentionMs;
  }
}
