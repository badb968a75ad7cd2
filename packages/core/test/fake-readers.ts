import {
  comparePositions,
  compareText,
  countedAt,
  DAY,
  HOUR,
  isUnresolved,
  nameOfRef,
  NO_REPOSITORY,
  NOTHING_CARRIED,
  pageOf,
  positionOf,
  presentRange,
  recentHours,
  releaseIdKey,
  idKeyOf,
  scopeOf,
  startOfDay,
  TallyBuilder,
  tallyOfPeriod,
  timeOf,
  withNewest,
  type ActivityReader,
  type ApprovedRepositories,
  type Check,
  type CheckReader,
  type CommitReader,
  type IncidentReader,
  type ListedRecord,
  type NewsReader,
  type PresentChecks,
  type ReadContext,
  type Repository,
  type RepositoryReader,
  type SearchReader,
  type ServiceReader,
  type StatusDay,
  type StatusHour,
  type StoredRecord,
  type SyncReader,
  type TimeListQuery,
  type TimePage,
  type Window,
} from '@vitrine/core';
import { aRepository } from '@vitrine/core/testing';

export interface FakeOptions {
  /** Forgets the allowlist: every record is returned to everybody. */
  readonly leaky?: boolean;
}

type Scoped = Exclude<ListedRecord, { readonly kind: 'news' | 'incident' }>;
type Kind = ListedRecord['kind'];
type Of<K extends StoredRecord['kind']> = Extract<StoredRecord, { readonly kind: K }>;

/** Hand-made readers over a list of records, as simple as can be; `calls` tells what was asked, in order. */
export function fakeReaders(records: readonly StoredRecord[], { leaky = false }: FakeOptions = {}) {
  const calls: string[] = [];
  const of = <K extends StoredRecord['kind']>(kind: K): Of<K>[] => records.filter((record): record is Of<K> => record.kind === kind);
  const admits = (approved: ApprovedRepositories, record: ListedRecord) => leaky || approved.admits(scopeOf(record));

  const page = <Item extends ListedRecord>(items: readonly Item[], { limit, after, from, to }: TimeListQuery): TimePage<Item> => {
    const inRange = items.filter((item) => timeOf(item) <= to && (from === null || timeOf(item) >= from));
    const sorted = inRange.sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
    const rest = sorted.filter((item) => after === null || comparePositions(positionOf(item), after) > 0);
    return pageOf(rest, limit, positionOf);
  };

  const scoped = <K extends Scoped['kind']>(kind: K) => ({
    list: (approved: ApprovedRepositories, query: TimeListQuery): Promise<TimePage<Of<K>>> => {
      calls.push(`${kind}.list`);
      const items = of(kind).filter((record) => admits(approved, record as ListedRecord));
      return Promise.resolve(page(items as ListedRecord[], query) as TimePage<Of<K>>);
    },
    byId: (approved: ApprovedRepositories, id: string): Promise<Of<K> | null> => {
      calls.push(`${kind}.byId`);
      const found = of(kind).find((record) => idKeyOf(record as ListedRecord) === id && admits(approved, record as ListedRecord));
      return Promise.resolve(found ?? null);
    },
  });

  const free = <K extends Extract<Kind, 'news' | 'incident'>>(kind: K) => ({
    byId: (id: string): Promise<Of<K> | null> => {
      calls.push(`${kind}.byId`);
      return Promise.resolve(of(kind).find((record) => (record as { id: string }).id === id) ?? null);
    },
  });

  const commits: CommitReader = {
    list: scoped('commit').list,
    bySha: (approved, prefix) => {
      calls.push('commit.bySha');
      const found = of('commit').filter((commit) => commit.sha.startsWith(prefix) && admits(approved, commit));
      return Promise.resolve(found.slice(0, 2));
    },
  };

  const repositories: RepositoryReader = {
    list: (approved, { limit, after }) => {
      calls.push('repository.list');
      const shown = stored().filter(({ repositoryRef }) => leaky || approved.admits(repositoryRef));
      const rest = shown.filter(({ repositoryRef }) => after === null || compareText(nameOfRef(repositoryRef), after.fullName) > 0);
      return Promise.resolve(pageOf(rest, limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) })));
    },
    byRefs: (approved, refs) => {
      calls.push('repository.byRefs');
      return Promise.resolve(stored().filter(({ repositoryRef }) => leaky || (approved.admits(repositoryRef) && refs.includes(repositoryRef))));
    },
  };
  const stored = (): Repository[] =>
    of('repository')
      .map((record) => aRepository(record))
      .sort((a, b) => compareText(nameOfRef(a.repositoryRef), nameOfRef(b.repositoryRef)));

  const news: NewsReader = {
    ...free('news'),
    list: (query) => {
      calls.push('news.list');
      return Promise.resolve(page(of('news'), query));
    },
  };

  const incidents: IncidentReader = {
    ...free('incident'),
    list: ({ notAfter, ...query }) => {
      calls.push('incident.list');
      const shown = of('incident').filter(({ startedAt, incidentKind }) => startedAt <= notAfter || incidentKind === 'maintenance');
      return Promise.resolve(page(shown, query));
    },
    unresolved: (notAfter) => {
      calls.push('incident.unresolved');
      const due = of('incident').filter(({ startedAt, incidentKind }) => startedAt <= notAfter || incidentKind === 'maintenance');
      return Promise.resolve(due.filter(isUnresolved));
    },
  };

  const services: ServiceReader = {
    list: () => Promise.resolve(of('service').sort((a, b) => compareText(a.key, b.key))),
    byKey: (key) => {
      calls.push('service.byKey');
      return Promise.resolve(of('service').find((service) => service.key === key) ?? null);
    },
  };

  const syncs: SyncReader = {
    list: (approved) => {
      calls.push('sync.list');
      const seen = of('sync').filter(({ repositoryRef }) => repositoryRef === NO_REPOSITORY || approved?.admits(repositoryRef) === true);
      return Promise.resolve(seen);
    },
  };

  const activity: ActivityReader = {
    days: (approved, { from, to }) => {
      calls.push('activity.days');
      const counted = [...of('commit'), ...of('release')].filter(
        (record) => timeOf(record) >= from && timeOf(record) <= to && admits(approved, record),
      );
      const countOf = (kind: Kind, day: number) => counted.filter((record) => record.kind === kind && startOfDay(timeOf(record)) === day).length;
      const days = [...new Set(counted.map((record) => startOfDay(timeOf(record))))];
      return Promise.resolve(days.map((day) => ({ day, commits: countOf('commit', day), releases: countOf('release', day) })));
    },
  };

  const search: SearchReader = { search: () => Promise.resolve({ items: [], next: null }) };

  return {
    calls,
    repositories,
    commits,
    activity,
    releases: {
      list: scoped('release').list,
      byId: (approved: ApprovedRepositories, idKey: string) => scoped('release').byId(approved, releaseIdKey(idKey)),
    },
    findings: scoped('finding'),
    builds: { list: scoped('build').list },
    missions: scoped('mission'),
    articles: scoped('article'),
    images: scoped('image'),
    videos: scoped('video'),
    news,
    incidents,
    services,
    checks: fakeChecks(of('check'), calls),
    search,
    syncs,
  };
}

export type FakeReaders = ReturnType<typeof fakeReaders>;

/** Every figure straight from the definition: the tally of raw checks. */
function fakeChecks(all: readonly Check[], calls: string[]): CheckReader {
  const keysOf = (serviceKeys: readonly string[] | null) => serviceKeys ?? [...new Set(all.map(({ serviceKey }) => serviceKey))];
  const of = (key: string) => all.filter(({ serviceKey }) => serviceKey === key).sort((a, b) => a.checkedAt - b.checkedAt);
  const ofEach = <Found>(serviceKeys: readonly string[] | null, read: (checks: readonly Check[], key: string) => Found) =>
    Promise.resolve(new Map(keysOf(serviceKeys).flatMap((key) => (of(key).length === 0 ? [] : [[key, read(of(key), key)] as const]))));
  return {
    sums: ({ serviceKeys, ranges }) => {
      calls.push('check.sums');
      return ofEach(serviceKeys, (checks) => ranges.map((range) => tallyOfPeriod(checks, range)));
    },
    present: ({ serviceKeys, now }) => {
      calls.push('check.present');
      return ofEach(serviceKeys, (checks, key) => presentOf(checks, key, now));
    },
    list: (serviceKey, { limit, from, to }) => {
      const found = all.filter((check) => check.serviceKey === serviceKey && check.checkedAt <= to && (from === null || check.checkedAt >= from));
      const sorted = found.sort((a, b) => b.checkedAt - a.checkedAt);
      return Promise.resolve(pageOf(sorted, limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source })));
    },
    days: ({ serviceKeys, window }) => {
      calls.push(`check.days ${String(window.from)} ${String(window.to)}`);
      return ofEach(serviceKeys, (checks, key) =>
        startsIn(window, DAY).map((day): StatusDay => {
          const tally = tallyOfPeriod(checks, { from: day, to: day + DAY });
          return { kind: 'status-day', serviceKey: key, day, ...tally, ...NOTHING_CARRIED, firstCheckedAt: day, lastCheckedAt: day, hours: [] };
        }),
      );
    },
    hours: (serviceKey, window) => {
      calls.push(`check.hours ${String(window.from)} ${String(window.to)}`);
      return Promise.resolve(startsIn(window, HOUR).map((hour) => hourOf(of(serviceKey), hour)));
    },
  };
}

function startsIn({ from, to }: Window, lengthMs: number): number[] {
  return Array.from({ length: Math.max(0, (to - from) / lengthMs) }, (_, index) => from + index * lengthMs);
}

function hourOf(checks: readonly Check[], hour: number): StatusHour {
  const before = new TallyBuilder(Math.min(hour, ...checks.map(({ checkedAt }) => checkedAt)), NOTHING_CARRIED);
  for (const check of checks) if (check.checkedAt < hour + HOUR) before.put(check);
  const { coveredUntil, claims } = before.end(hour + HOUR);
  return { hour, ...tallyOfPeriod(checks, { from: hour, to: hour + HOUR }), coveredUntil, claims };
}

function presentOf(checks: readonly Check[], serviceKey: string, now: number): PresentChecks {
  const { from, to } = presentRange(now);
  const times = checks.map(({ checkedAt }) => checkedAt);
  return {
    latest: {
      serviceKey,
      firstCheckedAt: Math.min(...times),
      lastCheckedAt: Math.max(...times),
      sources: withNewest(
        [],
        checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null),
      ),
    },
    hours: startsIn(recentHours(now), HOUR).map((hour) => hourOf(checks, hour)),
    checks: checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt <= to),
  };
}

/** A call that fails as a store does that cannot be reached. */
export const failing = (): Promise<never> => Promise.reject(new Error('connection reset'));

/** A call that never ends. */
export const hanging = (): Promise<never> => new Promise(() => undefined);

export const context: ReadContext = { signal: new AbortController().signal };
