import {
  Allowlist,
  DAY,
  HOUR,
  keyOfIdentity,
  startOfDay,
  timeOf,
  type ActivityDay,
  type ActivityQuery,
  type ApprovedRepositories,
  type Commit,
  type Release,
  type StoredRecord,
} from '@vitrine/core';
import { brokenSignals, withReader, withWriter, type BrokenStore, type Method } from './broken-store.js';

const BY_DAY = 'activity: commits and releases by UTC day, by the time that sorts their lists';
const TIMES = 'activity: times are closed at both ends, and the last day may be cut';
const PERMISSION = 'activity: permission is part of the query: approved repositories only';
const CHANGES = 'activity: follows records that move in time, are put again or are removed';
const LONG_AGO = 'activity: years before 1970 are counted like any other';
const ANY_WRITES = 'activity: equal to a count of the records, after any writes';

const EVERYBODY = Allowlist.of('acme/widget', 'acme/gadget', 'acme/secret').approved();
/** A repository that has the name of another one. */
const OTHER_WIDGET = new Allowlist([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: '7' }]).approved();

const activity = (name: string, noticedBy: string, change: (right: Method) => Method): BrokenStore => ({
  name: `activity.days ${name}`,
  noticedBy,
  breaks: withReader('activity', 'days', change),
});

const asking =
  (change: (query: ActivityQuery) => Partial<ActivityQuery>) =>
  (right: Method): Method =>
  (approved, query, context) =>
    right(approved, { ...query, ...change(query) }, context);

const answering =
  (change: (day: ActivityDay) => object) =>
  (right: Method): Method =>
  async (...args) =>
    (await right(...args)).map((day: ActivityDay) => ({ ...day, ...change(day) }));

/** A store that keeps numbers of its own, and updates them wrongly. @param put returns what is counted after a record was put */
function keeping(name: string, noticedBy: string, put: (counted: readonly Counted[], record: Counted) => readonly Counted[]): BrokenStore {
  return {
    name: `activity.days ${name}`,
    noticedBy,
    breaks: (store) => {
      let counted: readonly Counted[] = [];
      const withPut = withWriter('put', (right) => (records: readonly StoredRecord[], context) => {
        for (const record of records) if (record.kind === 'commit' || record.kind === 'release') counted = put(counted, record);
        return right(records, context);
      })(store);
      const count = (approved: ApprovedRepositories, { from, to }: ActivityQuery): readonly ActivityDay[] => {
        const shown = counted.filter((record) => timeOf(record) >= from && timeOf(record) <= to && approved.admits(record.repositoryRef));
        return [...new Set(shown.map((record) => startOfDay(timeOf(record))))].map((day) => {
          const of = (kind: string) => shown.filter((record) => record.kind === kind && startOfDay(timeOf(record)) === day).length;
          return { day, commits: of('commit'), releases: of('release') };
        });
      };
      return withReader('activity', 'days', () => (approved, query) => Promise.resolve(count(approved, query)))(withPut);
    },
  };
}

type Counted = Commit | Release;

const isSame = (one: Counted, other: Counted): boolean => one.kind === other.kind && keyOfIdentity(one) === keyOfIdentity(other);

export const BROKEN_ACTIVITY: readonly BrokenStore[] = [
  activity(
    'counts releases as commits',
    BY_DAY,
    answering(({ commits, releases }) => ({ commits: commits + releases, releases: 0 })),
  ),
  activity('counts days of another time zone', BY_DAY, (right) => async (approved, { from, to }, context) => {
    const shifted = await right(approved, { from: from + HOUR, to: to + HOUR }, context);
    return shifted.map((day: ActivityDay) => ({ ...day, day: day.day - HOUR }));
  }),
  activity(
    'counts the whole last day',
    TIMES,
    asking(({ to }) => ({ to: startOfDay(to) + DAY - 1 })),
  ),
  activity(
    'leaves the last day out if it is cut',
    TIMES,
    asking(({ to }) => ({ to: startOfDay(to + 1) - 1 })),
  ),
  activity(
    'leaves out what is dated exactly `to`',
    TIMES,
    asking(({ to }) => ({ to: to - 1 })),
  ),
  activity(
    'leaves out what is dated exactly `from`',
    TIMES,
    asking(({ from }) => ({ from: from + 1 })),
  ),
  activity(
    'begins a day early',
    TIMES,
    asking(({ from }) => ({ from: from - DAY })),
  ),
  activity('ignores the permission', PERMISSION, (right) => (_approved, query, context) => right(EVERYBODY, query, context)),
  activity('takes two repositories of the same name for one', PERMISSION, (right) => async (approved, query, context) => {
    const others = approved.admits('acme/widget') ? await right(OTHER_WIDGET, query, context) : [];
    return [...(await right(approved, query, context)), ...others];
  }),
  activity(
    'counts in days since 1970, rounded towards zero',
    LONG_AGO,
    answering(({ day }) => ({ day: day < 0 ? day + DAY : day })),
  ),
  keeping('counts a record each time it is put', CHANGES, (counted, record) => [...counted, record]),
  keeping('keeps the day of the first version of a record', ANY_WRITES, (counted, record) =>
    counted.some((one) => isSame(one, record)) ? counted : [...counted, record],
  ),
  keeping('counts records that were removed', CHANGES, (counted, record) => [...counted.filter((one) => !isSame(one, record)), record]),
  ...brokenSignals('activity', 'days', 'activity: `signal` ends a call at once'),
];
