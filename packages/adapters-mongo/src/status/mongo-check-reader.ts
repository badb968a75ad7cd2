import {
  DAY,
  startOfDay,
  type Check,
  type CheckReader,
  type DaySlice,
  type DaysQuery,
  type EvidenceQuery,
  type Instant,
  type ReadContext,
  type ServiceEvidence,
  type Tally,
  type TimeListQuery,
  type TimePage,
} from '@vitrine/core';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { listChecks } from './check-list.js';
import { PartCache, ServiceParts } from './part-cache.js';
import { readCounted } from './counted-reads.js';
import { readRaw, type RawReads } from './raw-reads.js';
import { ServiceQuestion, type AskedWindow } from './service-question.js';
import { trailOf, type Trail } from './trail-document.js';

/** The reader of checks. It caches the past of a service until the trail says that it has changed. */
export class MongoCheckReader implements CheckReader {
  readonly #reading: MongoReading;
  readonly #retentionMs: number;
  readonly #cache = new PartCache();

  /** @param retentionMs how long raw checks are kept */
  constructor(reading: MongoReading, retentionMs: number) {
    this.#reading = reading;
    this.#retentionMs = retentionMs;
  }

  /** Needs one query, or three if the past is not cached, has changed, or the clock of a source is ahead. */
  async evidence({ serviceKeys, windows, now }: EvidenceQuery, context: ReadContext): Promise<ReadonlyMap<string, ServiceEvidence>> {
    const trails = await this.#trails(serviceKeys, context);
    const questions = trails.map((trail) => new ServiceQuestion(trail, this.#cache.of(trail, now), windows, now));
    await this.#answer(questions, now, context);
    const found = new Map<string, ServiceEvidence>();
    for (const question of questions) {
      const evidence = question.evidence(this.#keptFrom());
      if (evidence !== null) found.set(question.serviceKey, evidence);
    }
    return found;
  }

  list(serviceKey: string, query: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    return listChecks(this.#reading, serviceKey, query, this.#keptFrom(), context);
  }

  async days(serviceKey: string, { window, now }: DaysQuery, context: ReadContext): Promise<readonly DaySlice[]> {
    const [trail] = await this.#trails([serviceKey], context);
    if (trail === undefined) return [];
    const slices: AskedWindow[] = [];
    const latest = Math.min(window.to, Math.max(now, trail.coveredUntil));
    for (let day = startOfDay(Math.max(window.from, trail.firstCheckedAt)); day <= latest; day += DAY)
      slices.push({ from: Math.max(day, window.from), to: Math.min(day + DAY, window.to), isEndOpen: day + DAY <= window.to });
    const question = new ServiceQuestion(trail, new ServiceParts(trail, now, null), slices, now);
    await this.#answer([question], now, context);
    return question.tallies().flatMap((tally, index) => (isEmpty(tally) ? [] : [{ day: startOfDay(slices[index]?.from ?? 0), tally }]));
  }

  async #trails(serviceKeys: readonly string[] | null, context: ReadContext): Promise<Trail[]> {
    const filter = serviceKeys === null ? { _id: { $gt: '' } } : { _id: { $in: [...serviceKeys] } };
    const found = await this.#reading.run(context, (options) => findDocuments(this.#reading.collections.of('status_trails'), filter, options));
    return decoded('status-day', found, this.#reading.monitor, trailOf);
  }

  async #answer(questions: readonly ServiceQuestion[], now: Instant, context: ReadContext): Promise<void> {
    const asked = questions.map((question) => ({ question, missing: question.missing() }));
    const missing = asked.flatMap((one) => one.missing ?? []);
    const newest = questions.flatMap((question) => question.missingNewest());
    if (missing.length + newest.length === 0) return;
    const [counted, raw] = await Promise.all([readCounted(this.#reading, missing, context), readRaw(this.#reading, missing, newest, now, context)]);
    for (const { question, missing: parts } of asked) question.learn(parts, counted, raw.get(question.serviceKey) ?? NOTHING_RAW);
  }

  #keptFrom(): Instant {
    return this.#reading.clock.now() - this.#retentionMs;
  }
}

const NOTHING_RAW: RawReads = { checks: [], newest: [] };

function isEmpty({ counts, coveredMs }: Tally): boolean {
  return coveredMs === 0 && Object.values(counts).every((count) => count === 0);
}
