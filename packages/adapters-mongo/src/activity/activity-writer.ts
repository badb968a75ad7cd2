import { DAY, EARLIEST_INSTANT, LATEST_INSTANT, startOfDay, type ActivityDay, type Instant, type RepositoryRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections } from '../collections.js';
import { decoded } from '../reading/decoding.js';
import { aggregateDocuments, findDocuments } from '../reading/find-documents.js';
import { SILENT_QUARANTINE } from '../reading/quarantine.js';
import { inParts } from '../in-parts.js';
import type { Commits, Write } from '../writers/commits.js';
import { inGroups } from '../writers/in-groups.js';
import { activityDayDocument, activityDayId, activityDayOf, activityMarkDocument, activityMarkOf, PENDING_DAYS } from './activity-documents.js';
import { COUNTED_KINDS, countingOf, daysOfRows } from './count-records.js';

/** How many repositories are counted at the same time. */
const COUNTED_AT_ONCE = 8;
/** How many days one commit writes. */
const DAYS_PER_COMMIT = 1_000;
/** Days that are at most this far apart are counted with one query. */
const GAP = 30 * DAY;

/** The days of each repository whose numbers may change. */
export type TouchedDays = ReadonlyMap<RepositoryRef, ReadonlySet<Instant>>;

/**
 * Stores how many commits and releases each repository has on each UTC day. The days are marked before records change, and counted again from the records
 * afterwards. So if a writer dies in between, readers count the records of these repositories, and the next writer counts the marked days.
 */
export class ActivityWriter {
  readonly #collections: Collections;
  readonly #commits: Commits;

  constructor(collections: Collections, commits: Commits) {
    this.#collections = collections;
    this.#commits = commits;
  }

  /**
   * Runs the change, and stores the new numbers of the touched days. The first change of a repository stores all its days.
   *
   * @param damaged repositories of which records are replaced or removed whose days are not known
   */
  async during<Result>(known: TouchedDays, damaged: ReadonlySet<RepositoryRef>, change: () => Promise<Result>): Promise<Result> {
    const touched = new Map(known);
    for (const ref of damaged) touched.set(ref, new Set([...(known.get(ref) ?? []), ...(await this.#everyDay(ref))]));
    if (touched.size === 0) return change();
    const marked = await this.#mark(touched);
    const result = await change();
    await inGroups([...touched], COUNTED_AT_ONCE, ([ref, days]) => (marked.has(ref) ? this.#recount(ref, days) : this.#countAll(ref)));
    return result;
  }

  /** Counts the days that an interrupted writer has left marked. */
  async settle(): Promise<void> {
    const found = await findDocuments(this.#collections.of('activity_marks'), { [PENDING_DAYS]: { $ne: [] } });
    const marks = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf);
    await inGroups(marks, COUNTED_AT_ONCE, ({ repositoryRef, pendingDays }) => this.#recount(repositoryRef, new Set(pendingDays)));
  }

  /** Counts all days of the repositories whose days are stored. If it is interrupted, {@link settle} completes the repository that it was counting. */
  async rebuild(): Promise<void> {
    const found = await findDocuments(this.#collections.of('activity_marks'), {});
    const marks = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf);
    await inGroups(marks, COUNTED_AT_ONCE, async ({ repositoryRef: ref }) => {
      const days = new Set(await this.#everyDay(ref));
      await this.#commits.write('activity_marks', [markOf(ref, days)]);
      await this.#recount(ref, days);
    });
  }

  /** The days that have a stored number, or should have one. */
  async #everyDay(ref: RepositoryRef): Promise<readonly Instant[]> {
    const found = await findDocuments(this.#collections.of('activity_days'), { repositoryRef: ref });
    const stored = decoded('repository', found, SILENT_QUARANTINE, activityDayOf);
    return [...stored, ...(await this.#counted(ref))].map(({ day }) => day);
  }

  /** Marks the days of the repositories whose days are stored, and returns these repositories. */
  async #mark(touched: TouchedDays): Promise<ReadonlySet<string>> {
    const found = await findDocuments(this.#collections.of('activity_marks'), { _id: { $in: [...touched.keys()] } });
    const marked = new Set<string>(decoded('repository', found, SILENT_QUARANTINE, activityMarkOf).map(({ repositoryRef }) => repositoryRef));
    const marks = [...touched].flatMap(([ref, days]): Write[] => (marked.has(ref) ? [markOf(ref, days)] : []));
    await this.#commits.write('activity_marks', marks);
    return marked;
  }

  async #recount(ref: RepositoryRef, days: ReadonlySet<Instant>): Promise<void> {
    const counted = new Map<Instant, ActivityDay>();
    for (const { from, to } of rangesOf(days)) for (const day of await this.#counted(ref, from, to)) counted.set(day.day, day);
    const writes = [...days].map((day): Write => {
      const found = counted.get(day);
      if (found === undefined) return { deleteOne: { filter: { _id: activityDayId(ref, day) } } };
      const { _id, ...replacement } = activityDayDocument(ref, found);
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
    const unmark = { $pull: { [PENDING_DAYS]: { $in: [...days].map((day) => new Date(day)) } } } as Document;
    const parts = inParts(writes, DAYS_PER_COMMIT);
    for (const [index, part] of parts.entries())
      await this.#commits.commit(async (into) => {
        await into('activity_days').write(part);
        if (index === parts.length - 1) await into('activity_marks').write([{ updateOne: { filter: { _id: ref }, update: unmark } }]);
      });
  }

  /** Until the last write, readers do not use the stored days, because the repository has no mark. */
  async #countAll(ref: RepositoryRef): Promise<void> {
    const days = await this.#counted(ref);
    await this.#commits.commit(async (into) => {
      await into('activity_days').remove({ repositoryRef: ref });
    });
    const writes = days.map((day): Write => ({ insertOne: { document: activityDayDocument(ref, day) } }));
    for (const part of inParts(writes, DAYS_PER_COMMIT)) await this.#commits.write('activity_days', part);
    const { _id, ...replacement } = activityMarkDocument(ref);
    await this.#commits.write('activity_marks', [{ replaceOne: { filter: { _id }, replacement, upsert: true } }]);
  }

  /** All days, or those between two moments, both included. Records whose stored time is not a date are in no list, and do not count. */
  async #counted(ref: RepositoryRef, from = EARLIEST_INSTANT, to = LATEST_INSTANT): Promise<readonly ActivityDay[]> {
    const rows = await Promise.all(
      COUNTED_KINDS.map((kind) => {
        const { collection, between, stages, hint } = countingOf(kind);
        return aggregateDocuments(this.#collections.of(collection), [{ $match: { repositoryRef: ref, ...between(from, to) } }, ...stages], { hint });
      }),
    );
    return daysOfRows(rows.flatMap(({ documents }) => documents));
  }
}

function markOf(ref: RepositoryRef, days: ReadonlySet<Instant>): Write {
  const dates = [...days].map((day) => new Date(day));
  return { updateOne: { filter: { _id: ref }, update: { $addToSet: { [PENDING_DAYS]: { $each: dates } } } as Document } };
}

/** Ranges that contain all days, and no long time without any. */
function rangesOf(days: ReadonlySet<Instant>): readonly { readonly from: Instant; readonly to: Instant }[] {
  const ranges: { from: Instant; to: Instant }[] = [];
  for (const day of [...days].map(startOfDay).sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && day - last.to <= GAP) last.to = day + DAY - 1;
    else ranges.push({ from: day, to: day + DAY - 1 });
  }
  return ranges;
}
