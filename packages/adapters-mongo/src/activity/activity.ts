import { EARLIEST_INSTANT, formatDate, inParts, LATEST_INSTANT, startOfDay, timeOf } from '@vitrine/core';
import type {
  ActivityDay,
  ActivityReader,
  ApprovedRepositories,
  Instant,
  PlainRecord,
  ReadContext,
  RepositoryRef,
  VouchedRecord,
  Window,
} from '@vitrine/core';
import type { AggregateOptions, Document } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { BadValue, type BsonSchema, instant, list, object, repositoryRef, type StoredDocument, whole } from '../documents/codec.js';
import { schemaOf } from '../documents/documents.js';
import { LISTS, repositoryLedKey } from '../lists/stored-lists.js';
import { type MongoReading, ScopedCollection, valid } from '../reading/mongo-reading.js';
import { type Commits, insertion, removal, replacement, type Transaction, type Write } from '../writers/commits.js';

/** Whole days are read from their stored numbers. Records of a day that is cut, or of repositories without such numbers, are counted. Needs at most six queries. */
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
      const numbers = rows.flat().flatMap((row) => numbersOf(row, row['_id']));
      return [...addedUp(numbers, ({ day }) => day).values()];
    },
  };
}

async function rowsOf(
  reading: MongoReading,
  { collection, time, hint, group }: Counting,
  { approved, among, from, to }: { readonly approved: ApprovedRepositories; readonly among: readonly RepositoryRef[] } & Window,
  context: ReadContext,
): Promise<Document[]> {
  if (among.length === 0 || from > to) return [];
  const scoped = new ScopedCollection(reading.collections.of(collection));
  const stages = [{ $group: group }];
  return reading.run(context, (options) => scoped.aggregate(approved, between(time, from, to), stages, { ...options, ...hint }, among));
}

function between(time: string, from: Instant, to: Instant): Document {
  return { [time]: { $gte: new Date(from), $lte: new Date(to) } };
}

interface Counting {
  readonly collection: CollectionName;
  readonly time: string;
  readonly hint: AggregateOptions;
  readonly group: Document;
}

const STORED_DAYS: Counting = {
  collection: 'activity_days',
  time: 'day',
  hint: {},
  group: { _id: '$day', commits: { $sum: '$commits' }, releases: { $sum: '$releases' } },
};

const dayFields = object({ repositoryRef, day: instant, commits: whole(0), releases: whole(0) });

export const activityDaySchema: BsonSchema = schemaOf(dayFields.schema);

interface RepositoryDay extends ActivityDay {
  readonly repositoryRef: RepositoryRef;
}

function activityDayId({ repositoryRef: ref, day }: RepositoryDay): string {
  return `${ref} ${formatDate(day)}`;
}

function activityDayDocument(counted: RepositoryDay): StoredDocument {
  return { _id: activityDayId(counted), ...(dayFields.encode(counted) as object) };
}

/** While `pendingDays` are named, the records are counted. */
const markFields = object({ repositoryRef, pendingDays: list(instant) });

/** Marks a repository whose days are stored. */
export const activityMarkSchema: BsonSchema = schemaOf(markFields.schema);

function countedIn(marks: readonly Exclude<ReturnType<typeof activityMarkOf>, BadValue>[]): ReadonlySet<RepositoryRef> {
  return new Set(marks.filter(({ pendingDays }) => pendingDays.length === 0).map(({ repositoryRef }) => repositoryRef));
}

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
  const group = { _id: by === 'day' ? day : { ref: '$repositoryRef', day }, [collection]: { $sum: 1 } };
  return { collection, time, hint: { hint: repositoryLedKey(list, null) }, group };
}

/** What a row of a pipeline counts; nothing if its day is not a date. */
function numbersOf({ commits = 0, releases = 0 }: Document, day: unknown): readonly ActivityDay[] {
  return day instanceof Date ? [{ day: startOfDay(day.getTime()), commits: Number(commits), releases: Number(releases) }] : [];
}

function addedUp<Day extends ActivityDay, Key>(days: readonly Day[], keyOf: (day: Day) => Key): ReadonlyMap<Key, Day> {
  const sums = new Map<Key, Day>();
  for (const day of days) {
    const before = sums.get(keyOf(day));
    sums.set(keyOf(day), before === undefined ? day : sumOf(before, day));
  }
  return sums;
}

function sumOf<Day extends ActivityDay>(sum: Day, { commits, releases }: ActivityDay): Day {
  return { ...sum, commits: sum.commits + commits, releases: sum.releases + releases };
}

const COUNTED_AT_ONCE = 20;
interface Replaced {
  readonly before: PlainRecord | null;
  readonly after: VouchedRecord | null;
}

/** Stores the numbers of each UTC day. The first change of a repository stores all its days. @param damaged repositories with changed records of unknown days */
export async function countActivity(transaction: Transaction, changes: readonly Replaced[], damaged: ReadonlySet<RepositoryRef>): Promise<void> {
  const changed = changes.flatMap(({ before, after }) => [...countedBy(before, -1), ...countedBy(after?.record ?? null, 1)]);
  const refs = [...new Set([...changed.map(({ repositoryRef }) => repositoryRef), ...damaged])];
  if (refs.length === 0) return;
  const found = await transaction.find('activity_marks', { _id: { $in: refs } });
  const counted = countedIn(valid(found, activityMarkOf));
  const isKnown = (ref: RepositoryRef): boolean => counted.has(ref) && !damaged.has(ref);
  const [known, others] = [changed.filter(({ repositoryRef }) => isKnown(repositoryRef)), refs.filter((ref) => !isKnown(ref))];
  await addChanges(transaction, known);
  await countAll(transaction, others);
}

function countedBy(record: PlainRecord | null, by: 1 | -1): readonly RepositoryDay[] {
  if (record?.kind !== 'commit' && record?.kind !== 'release') return [];
  const [commits, releases] = record.kind === 'commit' ? [by, 0] : [0, by];
  return [{ repositoryRef: record.repositoryRef, day: startOfDay(timeOf(record)), commits, releases }];
}

/** Counts all days of the repositories whose days are stored. */
export async function rebuildActivity(commits: Commits): Promise<void> {
  const found = await commits.commit((transaction) => transaction.find('activity_marks', {}));
  const refs = valid(found, activityMarkOf).map(({ repositoryRef }) => repositoryRef);
  for (const part of inParts(refs, COUNTED_AT_ONCE)) await commits.commit((transaction) => countAll(transaction, part));
}

async function addChanges(transaction: Transaction, changed: readonly RepositoryDay[]): Promise<void> {
  const changes = addedUp(changed, activityDayId);
  if (changes.size === 0) return;
  const documents = await transaction.find('activity_days', { _id: { $in: [...changes.keys()] } });
  const stored = new Map(documents.map((document) => [String(document['_id']), dayFields.decode(document, '')]));
  const writes = [...changes].map(([id, change]): Write => {
    const before = stored.get(id);
    const day = before === undefined || before instanceof BadValue ? change : sumOf(change, before);
    return day.commits + day.releases <= 0 ? removal(id) : replacement(activityDayDocument(day));
  });
  await transaction.write('activity_days', writes);
}

async function countAll(transaction: Transaction, refs: readonly RepositoryRef[]): Promise<void> {
  if (refs.length === 0) return;
  const rows: Document[] = [];
  for (const kind of COUNTED_KINDS) {
    const { collection, time, hint, group } = countingOf(kind, 'repository and day');
    // Records whose stored time is not a date are in no list, and do not count.
    const match = { $match: { repositoryRef: { $in: [...refs] }, ...between(time, EARLIEST_INSTANT, LATEST_INSTANT) } };
    rows.push(...(await transaction.aggregate(collection, [match, { $group: group }], hint)));
  }
  const days = rows.flatMap((row) => {
    const { ref, day } = row['_id'] as { readonly ref: RepositoryRef; readonly day: unknown };
    return numbersOf(row, day).map((numbers): RepositoryDay => ({ repositoryRef: ref, ...numbers }));
  });
  const counted = [...addedUp(days, activityDayId).values()].map((day) => insertion(activityDayDocument(day)));
  const marks = refs.map((ref) => replacement({ _id: ref, ...(markFields.encode({ repositoryRef: ref, pendingDays: [] }) as object) }));
  await transaction.write('activity_days', [{ deleteMany: { filter: { repositoryRef: { $in: [...refs] } } } }]);
  await transaction.write('activity_days', counted);
  await transaction.write('activity_marks', marks);
}
