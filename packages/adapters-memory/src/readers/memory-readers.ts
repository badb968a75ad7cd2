import {
  type ActivityDay,
  type ActivityReader,
  type AskedFilter,
  type CheckedDay,
  checkedDays,
  type CollectionReader,
  type Commit,
  comparePositions,
  compareText,
  DAY,
  firstOfEachSha,
  type Instant,
  latestVisible,
  type ListedKind,
  type ListedRecord,
  pageOf,
  type PageQuestion,
  PLAIN_KINDS,
  type PlainRecord,
  type ReadContext,
  type RecordOf,
  type RecordTables,
  type Release,
  releaseSummary,
  type Repository,
  type RepositoryReader,
  type RepositoryRecord,
  repositoryReader,
  type RepositoryRef,
  scopeOf,
  scopesRead,
  type Service,
  startOfDay,
  statedBy,
  type Sync,
  textsAt,
  type TimeListQuery,
  timeOf,
  type TimePage,
} from '@vitrine/core';
import type { Listed, MemoryStore } from '../memory-store.js';

/** Answers at once, unless the caller has cancelled the call. If `answer` throws, the promise rejects. */
export function answerNow<Result>({ signal }: ReadContext, answer: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    signal.throwIfAborted();
    resolve(answer());
  });
}

export function memoryRecordTables(store: MemoryStore): RecordTables {
  return {
    page: (question, context) => answerNow(context, () => listPage(store, question)),
    first: (kind, keys, _, context) => answerNow(context, () => keys.flatMap((key) => store.find(kind, key) ?? [])[0] ?? null),
    bySha: (approved, prefix, context) =>
      answerNow(context, () =>
        firstOfEachSha(store.all('commit').filter(({ sha, repositoryRef }) => sha.startsWith(prefix) && approved.admits(repositoryRef))),
      ),
    services: (context) => answerNow(context, () => servicesOf(store)),
    syncsOf: (scopes, context) => {
      const wanted = new Set(scopes);
      return answerNow(context, () => syncsWhere(store, ({ repositoryRef }) => wanted.has(repositoryRef)));
    },
    syncsFrom: (prefix, context) => answerNow(context, () => syncsWhere(store, ({ id }) => id.startsWith(prefix))),
  };
}

function servicesOf(store: MemoryStore): readonly Service[] {
  return store.all('service').sort((a, b) => compareText(a.key, b.key));
}

function syncsWhere(store: MemoryStore, isWanted: (sync: Sync) => boolean): readonly Sync[] {
  const syncs = store.all('sync').filter(isWanted);
  return syncs.sort((a, b) => compareText(a.id, b.id));
}

export function memoryActivityReader(store: MemoryStore): ActivityReader {
  return {
    days: (approved, { from, to }, context) =>
      answerNow(context, () => {
        const days = new Map<Instant, ActivityDay>();
        for (const kind of ['commit', 'release'] as const)
          for (const { record, position } of store.list(kind)) {
            if (position.time < from || position.time > to || !approved.admits(record.repositoryRef)) continue;
            const day = startOfDay(position.time);
            const { commits, releases } = days.get(day) ?? { commits: 0, releases: 0 };
            days.set(day, { day, commits: commits + Number(kind === 'commit'), releases: releases + Number(kind === 'release') });
          }
        return [...days.values()];
      }),
  };
}

function listPage<Kind extends ListedKind>(store: MemoryStore, question: PageQuestion<Kind>): TimePage<RecordOf<Kind>> {
  const { kind, query, isShown = () => true } = question;
  const [scopes, passes] = [new Set(scopesRead(question)), filterOf(question.filters)];
  const found: Listed<RecordOf<Kind>>[] = [];
  for (const listed of store.list(kind)) {
    if (found.length > query.limit) break;
    const { record } = listed;
    if (isAsked(listed, query) && scopes.has(scopeOf(record)) && passes(record) && isShown(record)) found.push(listed);
  }
  const { items, next } = pageOf(found, query.limit, ({ position }) => position);
  return { items: items.map(({ record }) => record), next };
}

function isAsked({ position }: Listed, { after, from, to }: TimeListQuery): boolean {
  return position.time <= to && (from === null || position.time >= from) && (after === null || comparePositions(position, after) > 0);
}

function filterOf(filters: readonly AskedFilter[]): (record: ListedRecord) => boolean {
  const asked = filters.map(({ path, values }) => values.map((value) => testOf(path, value)));
  return (record) => asked.every((tests) => tests.some((test) => test(record)));
}

function testOf(path: string, value: string): (record: ListedRecord) => boolean {
  const names = path.split('.');
  return path === 'author' ? (record) => isAuthor(record, value) : (record) => textsAt(record, names).includes(value);
}

/** A user names an author by a login in any letter case, or by an exact name. */
function isAuthor(record: ListedRecord, value: string): boolean {
  if (record.kind !== 'commit') return false;
  const { authorLogin, authorName } = record;
  return authorName === value || (authorLogin !== '' && authorLogin.toLowerCase() === value.toLowerCase());
}

export function memoryRepositoryReader(store: MemoryStore): RepositoryReader {
  return repositoryReader((_, refs, limit, context) =>
    answerNow(context, () => [...repositoriesOf(store, refs).values()].slice(0, limit ?? Infinity)),
  );
}

/** The stored repositories among the given ones, with the latest release and activity that are visible now. */
export function repositoriesOf(store: MemoryStore, refs: readonly RepositoryRef[]): ReadonlyMap<RepositoryRef, Repository> {
  const records = refs.flatMap((ref) => store.find('repository', ref) ?? []);
  if (records.length === 0) return new Map();
  const [stored, notAfter] = [new Set(records.map(({ repositoryRef }) => repositoryRef)), latestVisible(store.clock.now())];
  const commits = firstOf(store.list('commit'), stored, notAfter);
  const releases = firstOf(store.list('release'), stored, notAfter);
  return new Map(
    records.map((record) => [record.repositoryRef, repositoryOf(record, commits.get(record.repositoryRef), releases.get(record.repositoryRef))]),
  );
}

type Derived = { readonly commit: Commit | undefined; readonly release: Release | undefined; readonly repository: Repository };

/** The newest result for each stored record. Presenters remember what they made of an object, so an unchanged repository is the same object. */
const derived = new WeakMap<RepositoryRecord, Derived>();

function repositoryOf(record: RepositoryRecord, commit: Commit | undefined, release: Release | undefined): Repository {
  const known = derived.get(record);
  if (known !== undefined && known.commit === commit && known.release === release) return known.repository;
  const times = [commit, release].flatMap((newest) => (newest === undefined ? [] : [timeOf(newest)]));
  const latestActivityAt = times.length === 0 ? null : Math.max(...times);
  const repository = { ...record, latestActivityAt, latestRelease: release === undefined ? null : releaseSummary(release) };
  derived.set(record, { commit, release, repository });
  return repository;
}

function firstOf<Kept extends Commit | Release>(list: Iterable<Listed<Kept>>, refs: ReadonlySet<RepositoryRef>, notAfter: number) {
  const first = new Map<RepositoryRef, Kept>();
  for (const { record, position } of list) {
    if (first.size === refs.size) break;
    const { repositoryRef } = record;
    if (position.time <= notAfter && refs.has(repositoryRef) && !first.has(repositoryRef)) first.set(repositoryRef, record);
  }
  return first;
}

export function memoryCollectionReader(store: MemoryStore): CollectionReader {
  const isOf = (record: PlainRecord, source: string | null): boolean => {
    const statements = store.statementsOf(record);
    return source === null || statements.length === 0 || statements.some((statement) => statement.source === source);
  };
  return {
    commitBranches: (ref, context) =>
      answerNow(context, () => {
        const commits = store.all('commit').filter((commit) => commit.repositoryRef === ref && isOf(commit, context.source ?? null));
        return new Map(commits.map(({ sha, branch }) => [sha, branch]));
      }),
    async *ofRepository(kind, ref, context) {
      const isWanted = (record: RecordOf<typeof kind>): boolean => record.repositoryRef === ref && isOf(record, context.source ?? null);
      yield* await answerNow(context, () => store.all(kind).filter(isWanted));
    },
    sync: (id, context) => answerNow(context, () => store.find('sync', id)),
    services: (context) => answerNow(context, () => servicesOf(store)),
    checkedDays: (context) => answerNow(context, () => checkedDaysOf(store)),
    checksOf: ({ serviceKey, day }, context) => answerNow(context, () => store.checks.service(serviceKey)?.checksBetween(day, day + DAY - 1) ?? []),
    async *records(context) {
      for (const kind of PLAIN_KINDS) yield* await answerNow(context, () => store.all(kind));
      yield* await answerNow(context, () => store.checks.records());
    },
    async *statements(context) {
      for (const kind of PLAIN_KINDS)
        yield* await answerNow(context, () => store.all(kind).flatMap((record) => statedBy({ record, statements: store.statementsOf(record) })));
      for (const record of await answerNow(context, () => store.checks.records())) yield { record, source: null };
    },
  };
}

function checkedDaysOf({ checks }: MemoryStore): ReadonlyMap<string, readonly CheckedDay[]> {
  return checkedDays([...checks.services()].flatMap((service) => service.days().filter(({ day }) => service.isOpen(day))));
}
