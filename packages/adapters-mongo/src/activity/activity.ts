import {
  type ActivityDay,
  type ActivityReader,
  type ApprovedRepositories,
  type Commit,
  EARLIEST_INSTANT,
  formatDate,
  type Instant,
  LATEST_INSTANT,
  type PlainRecord,
  type ReadContext,
  type Release,
  type RepositoryRef,
  startOfDay,
  timeOf,
  type VouchedRecord,
} from '@vitrine/core';
import type { AggregateOptions, Document } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { BadValue, type BsonSchema, instant, list, object, repositoryRef, type StoredDocument, whole } from '../documents/codec.js';
import { schemaOf } from '../documents/documents.js';
import { LISTS, repositoryLedKey } from '../lists/stored-lists.js';
import { decoded, inParts, type MongoReading, ScopedCollection, SILENT_QUARANTINE } from '../reading/mongo-reading.js';
import { type Commits, insertion, removal, replacement, type Transaction, type Write } from '../writers/commits.js';

/**
 * Whole days are read from their stored numbers. Records are counted for a day of which only a part is asked for, and for repositories whose numbers are not
 * stored or not up to date: then the answer takes longer, and is the same. Needs at most six queries.
 */
export function mongoActivityReader(reading: MongoReading): ActivityReader {
  return {
    days: async (approved, { from, to }, context) => {
      const marks = new ScopedCollection(reading.collections.of('activity_marks'));
      const found = await reading.run(context, (options) => marks.find(approved, { _id: { $in: [...approved.refs] } }, options));
      const known = countedIn(reading.decoded('repository', found, activityMarkOf));
      const [stored, others] = [[...known], approved.refs.filter((ref) => !known.has(ref))];
      const cut = Math.max(from, startOfDay(to + 1));
      const rows = await Promise.all([
        rowsOf(reading, STORED_DAYS, { approved, among: stored, from, to: cut - 1 }, context),
        ...COUNTED_KINDS.map((kind) => countingOf(kind, 'day')).flatMap((counting) => [
          rowsOf(reading, counting, { approved, among: stored, from: cut, to }, context),
          rowsOf(reading, counting, { approved, among: others, from, to }, context),
        ]),
      ]);
      return daysOfRows(rows.flat());
    },
  };
}

async function rowsOf(reading: MongoReading, counting: Counting, asked: RowsAsked, context: ReadContext): Promise<readonly Document[]> {
  const { collection, index, between, stages } = counting;
  const { approved, among, from, to } = asked;
  if (among.length === 0 || from > to) return [];
  const scoped = new ScopedCollection(reading.collections.of(collection));
  const found = await reading.run(context, (options) => scoped.aggregate(approved, between(from, to), stages, { ...options, ...index }, among));
  return found.documents;
}

/** Both times are included. */
interface RowsAsked {
  readonly approved: ApprovedRepositories;
  readonly among: readonly RepositoryRef[];
  readonly from: Instant;
  readonly to: Instant;
}

interface Counting {
  readonly collection: CollectionName;
  readonly index: AggregateOptions;
  readonly between: (from: Instant, to: Instant) => Document;
  readonly stages: readonly Document[];
}

const STORED_DAYS: Counting = {
  collection: 'activity_days',
  index: {},
  between: (from, to) => ({ day: { $gte: new Date(from), $lte: new Date(to) } }),
  stages: [{ $group: { _id: '$day', commits: { $sum: '$commits' }, releases: { $sum: '$releases' } } }],
};

const dayFields = object({ repositoryRef, day: instant, commits: whole(0), releases: whole(0) });

export const activityDaySchema: BsonSchema = schemaOf(dayFields.schema);

function activityDayId(ref: RepositoryRef, day: Instant): string {
  return `${ref} ${formatDate(day)}`;
}

function activityDayDocument(ref: RepositoryRef, counted: ActivityDay): StoredDocument {
  return { _id: activityDayId(ref, counted.day), ...(dayFields.encode({ repositoryRef: ref, ...counted }) as object) };
}

/** Never throws: the result for an invalid document is a `BadValue`. */
function activityDayOf(document: unknown): ActivityDay | BadValue {
  const decoded = dayFields.decode(document, '');
  return decoded instanceof BadValue ? decoded : { day: startOfDay(decoded.day), commits: decoded.commits, releases: decoded.releases };
}

/** While `pendingDays` are named, the records are counted. */
const markFields = object({ repositoryRef, pendingDays: list(instant) });

/** Marks a repository whose days are stored. */
export const activityMarkSchema: BsonSchema = schemaOf(markFields.schema);

/** The repositories whose stored days are up to date. */
function countedIn(
  marks: readonly { readonly repositoryRef: RepositoryRef; readonly pendingDays: readonly Instant[] }[],
): ReadonlySet<RepositoryRef> {
  return new Set(marks.filter(({ pendingDays }) => pendingDays.length === 0).map(({ repositoryRef }) => repositoryRef));
}

/** Never throws: the result for an invalid document is a `BadValue`. */
function activityMarkOf(document: Document) {
  const mark = markFields.decode(document, '');
  return mark instanceof BadValue || document['_id'] === mark.repositoryRef ? mark : new BadValue('_id', 'wrong');
}

const COUNTED_KINDS = ['commit', 'release'] as const;

/** How the records of a kind are counted. All values come from the index that starts with the repository. */
function countingOf(kind: (typeof COUNTED_KINDS)[number], by: 'day' | 'repository and day'): Counting {
  const list = LISTS[kind];
  const { collection, time } = list;
  const day = { $dateTrunc: { date: `$${time}`, unit: 'day' } };
  return {
    collection,
    index: { hint: repositoryLedKey(list, null) },
    between: (from, to) => ({ [time]: { $gte: new Date(from), $lte: new Date(to) } }),
    stages: [{ $group: { _id: by === 'day' ? day : { ref: '$repositoryRef', day }, [collection]: { $sum: 1 } } }],
  };
}

/** Adds up rows with the same day and repository, from any number of pipelines. */
function daysOfRows(rows: readonly Document[]): readonly (ActivityDay & { readonly ref?: RepositoryRef })[] {
  const days = new Map<string, ActivityDay & { readonly ref?: RepositoryRef }>();
  for (const { _id, commits = 0, releases = 0 } of rows) {
    // To group by the day alone takes half the time.
    const { ref, day } = (_id instanceof Date ? { day: _id } : _id) as { readonly ref?: RepositoryRef; readonly day: unknown };
    if (!(day instanceof Date)) continue;
    const key = `${String(ref)} ${String(day.getTime())}`;
    const sum = sumOf(days.get(key) ?? { day: day.getTime(), commits: 0, releases: 0 }, {
      day: day.getTime(),
      commits: Number(commits),
      releases: Number(releases),
    });
    days.set(key, { ...(ref !== undefined && { ref }), ...sum });
  }
  return [...days.values()];
}

/** Repositories that one transaction of a rebuild counts. */
const COUNTED_AT_ONCE = 20;
/** A record before a batch and after it. */
type Replaced = Readonly<Record<'before' | 'after', VouchedRecord | null>>;
type DayChanges = ReadonlyMap<RepositoryRef, ReadonlyMap<Instant, ActivityDay>>;

/**
 * Stores the numbers of each UTC day, in the transaction that changes the records. The first change of a repository stores all its days.
 *
 * @param damaged repositories with replaced or removed records whose days are not known
 */
export async function countActivity(transaction: Transaction, changes: readonly Replaced[], damaged: ReadonlySet<RepositoryRef>): Promise<void> {
  const changed = dayChangesOf(changes);
  const refs = [...new Set([...changed.keys(), ...damaged])];
  if (refs.length === 0) return;
  const found = await transaction.find('activity_marks', { _id: { $in: refs } });
  const counted = countedIn(decoded('repository', found, SILENT_QUARANTINE, activityMarkOf));
  const isKnown = (ref: RepositoryRef): boolean => counted.has(ref) && !damaged.has(ref);
  await addChanges(transaction, new Map([...changed].filter(([ref]) => isKnown(ref))));
  await countAll(
    transaction,
    refs.filter((ref) => !isKnown(ref)),
  );
}

/** Counts all days of the repositories whose days are stored. */
export async function rebuildActivity(commits: Commits): Promise<void> {
  const found = await commits.commit((transaction) => transaction.find('activity_marks', {}));
  const refs = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf).map(({ repositoryRef }) => repositoryRef);
  for (const part of inParts(refs, COUNTED_AT_ONCE)) await commits.commit((transaction) => countAll(transaction, part));
}

async function addChanges(transaction: Transaction, changes: DayChanges): Promise<void> {
  const ids = [...changes].flatMap(([ref, days]) => [...days.keys()].map((day) => activityDayId(ref, day)));
  if (ids.length === 0) return;
  const { documents } = await transaction.find('activity_days', { _id: { $in: ids } });
  const stored = new Map(documents.map((document) => [String(document['_id']), activityDayOf(document)]));
  const writes = [...changes].flatMap(([ref, days]) =>
    [...days.values()].map((change): Write => {
      const id = activityDayId(ref, change.day);
      const before = stored.get(id);
      const day = before === undefined || before instanceof BadValue ? change : sumOf(before, change);
      return day.commits + day.releases <= 0 ? removal(id) : replacement(activityDayDocument(ref, day));
    }),
  );
  await transaction.write('activity_days', writes);
}

async function countAll(transaction: Transaction, refs: readonly RepositoryRef[]): Promise<void> {
  if (refs.length === 0) return;
  const rows: Document[] = [];
  for (const kind of COUNTED_KINDS) {
    const { collection, between, stages, index } = countingOf(kind, 'repository and day');
    // Records whose stored time is not a date are in no list, and do not count.
    const match = { $match: { repositoryRef: { $in: [...refs] }, ...between(EARLIEST_INSTANT, LATEST_INSTANT) } };
    rows.push(...(await transaction.aggregate(collection, [match, ...stages], index)));
  }
  const counted = daysOfRows(rows).flatMap(({ ref, ...day }) => (ref === undefined ? [] : [insertion(activityDayDocument(ref, day))]));
  await transaction.remove('activity_days', { repositoryRef: { $in: [...refs] } });
  await transaction.write('activity_days', counted);
  await transaction.write(
    'activity_marks',
    refs.map((ref) => replacement({ _id: ref, ...(markFields.encode({ repositoryRef: ref, pendingDays: [] }) as object) })),
  );
}

/** The days of the old and the new version of each commit and release. */
function dayChangesOf(changes: readonly Replaced[]): DayChanges {
  const days = new Map<RepositoryRef, Map<Instant, ActivityDay>>();
  const add = (record: Commit | Release, by: 1 | -1): void => {
    const own = days.get(record.repositoryRef) ?? new Map<Instant, ActivityDay>();
    const day = startOfDay(timeOf(record));
    const change = record.kind === 'commit' ? { day, commits: by, releases: 0 } : { day, commits: 0, releases: by };
    const before = own.get(day);
    days.set(record.repositoryRef, own.set(day, before === undefined ? change : sumOf(before, change)));
  };
  for (const { before, after } of changes) {
    if (isCounted(before?.record)) add(before.record, -1);
    if (isCounted(after?.record)) add(after.record, 1);
  }
  return days;
}

function isCounted(record: PlainRecord | undefined) {
  return record?.kind === 'commit' || record?.kind === 'release';
}

function sumOf(a: ActivityDay, b: ActivityDay): ActivityDay {
  return { day: a.day, commits: a.commits + b.commits, releases: a.releases + b.releases };
}
