import {
  EARLIEST_INSTANT,
  LATEST_INSTANT,
  startOfDay,
  timeOf,
  type ActivityDay,
  type Commit,
  type Instant,
  type PlainRecord,
  type Release,
  type RepositoryRef,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { decoded, SILENT_QUARANTINE } from '../reading/find-documents.js';
import { inParts } from '../reading/mongo-reading.js';
import { insertion, removal, replacement, type Commits, type Transaction, type Write } from '../writers/commits.js';
import type { StoredChange } from '../writers/plain-batch.js';
import {
  activityDayDocument,
  activityDayId,
  activityDayOf,
  activityMarkDocument,
  activityMarkOf,
  COUNTED_KINDS,
  countingOf,
  daysOfRows,
} from './mongo-activity-reader.js';

/** How many repositories one transaction of a rebuild counts. */
const COUNTED_AT_ONCE = 20;

/** By how much the numbers of each day change. */
type DayChanges = ReadonlyMap<RepositoryRef, ReadonlyMap<Instant, ActivityDay>>;

/**
 * Stores how many commits and releases each repository has on each UTC day, in the transaction that changes the records. The first change of a repository stores all its
 * days.
 *
 * @param damaged repositories of which records were replaced or removed whose days are not known
 */
export async function countActivity(transaction: Transaction, changes: readonly StoredChange[], damaged: ReadonlySet<RepositoryRef>): Promise<void> {
  const changed = dayChangesOf(changes);
  const refs = [...new Set([...changed.keys(), ...damaged])];
  if (refs.length === 0) return;
  const found = await transaction.find('activity_marks', { _id: { $in: refs } });
  const marks = decoded('repository', found, SILENT_QUARANTINE, activityMarkOf).filter(({ pendingDays }) => pendingDays.length === 0);
  const counted = new Set(marks.map(({ repositoryRef }) => repositoryRef));
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
    refs.map((ref) => replacement(activityMarkDocument(ref))),
  );
}

/** The days of the old and the new version of each commit and release. */
function dayChangesOf(changes: readonly StoredChange[]): DayChanges {
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

function isCounted(record: PlainRecord | undefined): record is Commit | Release {
  return record?.kind === 'commit' || record?.kind === 'release';
}

function sumOf(a: ActivityDay, b: ActivityDay): ActivityDay {
  return { day: a.day, commits: a.commits + b.commits, releases: a.releases + b.releases };
}
