import { DAY, EARLIEST_INSTANT, LATEST_INSTANT, startOfDay, type ActivityDay, type Instant, type RepositoryRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections } from '../collections.js';
import { inGroups, inParts } from '../reading/mongo-reading.js';
import { aggregateDocuments, decoded, findDocuments, SILENT_QUARANTINE } from '../reading/find-documents.js';
import type { Commits, Write } from '../writers/commits.js';
import {
  activityDayDocument,
  activityDayId,
  activityDayOf,
  activityMarkDocument,
  activityMarkOf,
  COUNTED_KINDS,
  countingOf,
  daysOfRepositories,
  PENDING_DAYS,
} from './mongo-activity-reader.js';

/** How many repositories are counted for the first time with one query. */
const FIRST_COUNTED = 50;
/** How many queries run at the same time. */
const AT_ONCE = 4;
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
  constructor(
    private readonly collections: Collections,
    private readonly commits: Commits,
  ) {}

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
    await this.#recount(new Map([...touched].filter(([ref]) => marked.has(ref))));
    const others = [...touched.keys()].filter((ref) => !marked.has(ref));
    await inGroups(inParts(others, FIRST_COUNTED), AT_ONCE, (refs) => this.#countAll(refs));
    return result;
  }

  /** Counts the days that an interrupted writer has left marked. */
  async settle(): Promise<void> {
    const found = await findDocuments(this.collections.of('activity_marks'), { [PENDING_DAYS]: { $ne: [] } });
    const marks = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf);
    await this.#recount(new Map(marks.map(({ repositoryRef, pendingDays }) => [repositoryRef, new Set(pendingDays)])));
  }

  /** Counts all days of the repositories whose days are stored. If it is interrupted, {@link settle} completes the repository that it was counting. */
  async rebuild(): Promise<void> {
    const found = await findDocuments(this.collections.of('activity_marks'), {});
    const marks = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf);
    await inGroups(marks, AT_ONCE, async ({ repositoryRef: ref }) => {
      const touched = new Map([[ref, new Set(await this.#everyDay(ref))]]);
      await this.commits.write('activity_marks', marksOf(touched));
      await this.#recount(touched);
    });
  }

  /** The days that have a stored number, or should have one. */
  async #everyDay(ref: RepositoryRef): Promise<readonly Instant[]> {
    const found = await findDocuments(this.collections.of('activity_days'), { repositoryRef: ref });
    const stored = decoded('repository', found, SILENT_QUARANTINE, activityDayOf);
    return [...stored, ...((await this.#counted([ref])).get(ref) ?? [])].map(({ day }) => day);
  }

  /** Marks the days of the repositories whose days are stored, and returns these repositories. */
  async #mark(touched: TouchedDays): Promise<ReadonlySet<string>> {
    const found = await findDocuments(this.collections.of('activity_marks'), { _id: { $in: [...touched.keys()] } });
    const marked = new Set<string>(decoded('repository', found, SILENT_QUARANTINE, activityMarkOf).map(({ repositoryRef }) => repositoryRef));
    await this.commits.write('activity_marks', marksOf(new Map([...touched].filter(([ref]) => marked.has(ref)))));
    return marked;
  }

  async #recount(touched: TouchedDays): Promise<void> {
    const counted = new Map<string, ActivityDay>();
    await inGroups(questionsOf(touched), AT_ONCE, async ({ refs, from, to }) => {
      for (const [ref, days] of await this.#counted(refs, from, to)) for (const day of days) counted.set(activityDayId(ref, day.day), day);
    });
    const writes = [...touched].flatMap(([ref, days]) => [...days].map((day) => dayWrite(ref, day, counted.get(activityDayId(ref, day)))));
    const parts = inParts(writes, DAYS_PER_COMMIT);
    for (const [index, part] of parts.entries())
      await this.commits.commit(async (into) => {
        await into('activity_days').write(part);
        if (index === parts.length - 1) await into('activity_marks').write(unmarksOf(touched));
      });
  }

  /** Until the last write, readers do not use the stored days, because the repositories have no marks. */
  async #countAll(refs: readonly RepositoryRef[]): Promise<void> {
    const counted = await this.#counted(refs);
    await this.commits.commit(async (into) => {
      await into('activity_days').remove({ repositoryRef: { $in: [...refs] } });
    });
    const writes = [...counted].flatMap(([ref, days]) => days.map((day): Write => ({ insertOne: { document: activityDayDocument(ref, day) } })));
    for (const part of inParts(writes, DAYS_PER_COMMIT)) await this.commits.write('activity_days', part);
    const marks = refs.map((ref): Write => {
      const { _id, ...replacement } = activityMarkDocument(ref);
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
    await this.commits.write('activity_marks', marks);
  }

  /** All days, or those between two moments, both included. Records whose stored time is not a date are in no list, and do not count. */
  async #counted(
    refs: readonly RepositoryRef[],
    from = EARLIEST_INSTANT,
    to = LATEST_INSTANT,
  ): Promise<ReadonlyMap<RepositoryRef, readonly ActivityDay[]>> {
    const rows = await Promise.all(
      COUNTED_KINDS.map((kind) => {
        const { collection, between, stagesByRepository, hint } = countingOf(kind);
        const match = { $match: { repositoryRef: { $in: [...refs] }, ...between(from, to) } };
        return aggregateDocuments(this.collections.of(collection), [match, ...stagesByRepository], { hint });
      }),
    );
    return daysOfRepositories(rows.flatMap(({ documents }) => documents));
  }
}

/** @param counted `undefined`: the day has no records */
function dayWrite(ref: RepositoryRef, day: Instant, counted: ActivityDay | undefined): Write {
  if (counted === undefined) return { deleteOne: { filter: { _id: activityDayId(ref, day) } } };
  const { _id, ...replacement } = activityDayDocument(ref, counted);
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}

function marksOf(touched: TouchedDays): readonly Write[] {
  return withSameDays(touched).map(({ refs, days }) => changeOf(refs, { $addToSet: { [PENDING_DAYS]: { $each: days } } }));
}

function unmarksOf(touched: TouchedDays): readonly Write[] {
  return withSameDays(touched).map(({ refs, days }) => changeOf(refs, { $pull: { [PENDING_DAYS]: { $in: days } } }));
}

function changeOf(refs: readonly RepositoryRef[], update: Document): Write {
  return { updateMany: { filter: { _id: { $in: [...refs] } }, update } };
}

/** A batch often has records of many repositories and few days. */
function withSameDays(touched: TouchedDays): readonly { readonly refs: readonly RepositoryRef[]; readonly days: readonly Date[] }[] {
  const groups = new Map<string, { readonly refs: RepositoryRef[]; readonly days: readonly Date[] }>();
  for (const [ref, set] of touched) {
    const days = [...set].sort((a, b) => a - b);
    const group = groups.get(days.join(' ')) ?? { refs: [], days: days.map((day) => new Date(day)) };
    group.refs.push(ref);
    groups.set(days.join(' '), group);
  }
  return [...groups.values()];
}

/** What one query counts. */
interface Question {
  readonly refs: RepositoryRef[];
  readonly from: Instant;
  to: Instant;
}

/** Few queries that together count all days. None of them reads a long time in which one of its repositories has no such day. */
function questionsOf(touched: TouchedDays): readonly Question[] {
  const ranges = [...touched].flatMap(([ref, days]) => rangesOf(days).map((range) => ({ ref, ...range }))).sort((a, b) => a.from - b.from);
  const questions: Question[] = [];
  for (const { ref, from, to } of ranges) {
    const last = questions.at(-1);
    const end = Math.max(to, last?.to ?? to);
    if (last === undefined || end - last.from > GAP) {
      questions.push({ refs: [ref], from, to });
    } else {
      last.refs.push(ref);
      last.to = end;
    }
  }
  return questions;
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
