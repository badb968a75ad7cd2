import {
  acceptedValues,
  type ActivityDay,
  type ActivityReader,
  type ApprovedRepositories,
  type CommitReader,
  comparePositions,
  compareText,
  CONFIGURATION_PREFIX,
  type ConfigurationReader,
  type FilterValue,
  type Incident,
  type IncidentReader,
  type Instant,
  isFoundUntil,
  isOfKind,
  isUnresolved,
  keyFor,
  KINDS,
  LATEST_INSTANT,
  type ListedKind,
  type ListedRecord,
  type ListFilters,
  nameOfRef,
  type NewsReader,
  NO_REPOSITORY,
  pageOf,
  type ReadContext,
  type RecordOf,
  type RecordReader,
  type ScopedKind,
  scopeOf,
  type ScopeRef,
  type ServiceReader,
  startOfDay,
  type SyncReader,
  textsAt,
  type TimeListQuery,
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

const isOfNone = (scope: ScopeRef): boolean => scope === NO_REPOSITORY;

/** Whether records of a kind in a scope may be shown. */
function scopesOf(kind: ScopedKind, approved: ApprovedRepositories): (scope: ScopeRef) => boolean {
  const isOwned = KINDS[kind].ownership === 'always';
  return (scope) => approved.admits(scope) && !(isOwned && isOfNone(scope));
}

/** Reads a kind that has no special port. */
export function memoryRecordReader<Kind extends ScopedKind>(store: MemoryStore, kind: Kind): RecordReader<Kind> {
  return {
    list: (approved, query, context) => answerNow(context, () => listPage(store, kind, scopesOf(kind, approved), query, filterOf(kind, query))),
    byId: (approved, idKey, context) =>
      answerNow(context, () => {
        const found = approved.scopes.flatMap((scope) => store.find<ScopedKind>(kind, keyFor(idKey, scope)) ?? []);
        const [first = null] = found.sort((a, b) => compareText(scopeOf(a), scopeOf(b)));
        return isOfKind(kind, first) ? first : null;
      }),
  };
}

/** Enough to tell a caller that a prefix is ambiguous. */
const MAX_SHAS = 2;

export function memoryCommitReader(store: MemoryStore): CommitReader {
  return {
    list: (approved, query, context) =>
      answerNow(context, () => listPage(store, 'commit', scopesOf('commit', approved), query, filterOf('commit', query))),
    bySha: (approved, prefix, context) =>
      answerNow(context, () => {
        const found = store.all('commit').filter(({ sha, repositoryRef }) => sha.startsWith(prefix) && approved.admits(repositoryRef));
        found.sort((a, b) => compareText(a.sha, b.sha) || compareText(nameOfRef(a.repositoryRef), nameOfRef(b.repositoryRef)));
        // Several repositories may have the same commit.
        return found.filter(({ sha }, index) => sha !== found[index - 1]?.sha).slice(0, MAX_SHAS);
      }),
  };
}

export function memoryNewsReader(store: MemoryStore): NewsReader {
  return {
    list: (query, context) => answerNow(context, () => listPage(store, 'news', isOfNone, query, filterOf('news', query))),
    byId: (id, context) => answerNow(context, () => store.find('news', id)),
  };
}

const MOST_UNRESOLVED = { limit: 100, after: null, from: null, to: LATEST_INSTANT } as const;

export function memoryIncidentReader(store: MemoryStore): IncidentReader {
  return {
    list: (query, context) =>
      answerNow(context, () => {
        const passes = filterOf('incident', query);
        return listPage(store, 'incident', isOfNone, query, (incident) => isFoundUntil(incident, query.notAfter) && passes(incident));
      }),
    byId: (id, context) => answerNow(context, () => store.find('incident', id)),
    unresolved: (notAfter, context) =>
      answerNow(context, () => {
        const isShown = (incident: Incident): boolean => isFoundUntil(incident, notAfter) && isUnresolved(incident);
        return listPage(store, 'incident', isOfNone, MOST_UNRESOLVED, isShown).items;
      }),
  };
}

export function memoryServiceReader(store: MemoryStore): ServiceReader {
  return {
    list: (context) => answerNow(context, () => store.all('service').sort((a, b) => compareText(a.key, b.key))),
    byKey: (key, context) => answerNow(context, () => store.find('service', key)),
  };
}

export function memorySyncReader(store: MemoryStore): SyncReader {
  return {
    list: (approved, context) =>
      answerNow(context, () => {
        const shown = store.all('sync').filter(({ repositoryRef: ref }) => ref === NO_REPOSITORY || approved?.admits(ref) === true);
        return shown.sort((a, b) => compareText(a.id, b.id));
      }),
  };
}

export function memoryConfigurationReader(store: MemoryStore): ConfigurationReader {
  return {
    list: (context) =>
      answerNow(context, () => {
        const found = store.all('sync').filter(({ id }) => id.startsWith(CONFIGURATION_PREFIX));
        return found.sort((a, b) => compareText(a.id, b.id));
      }),
  };
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

/** A page of the records of one kind that pass both tests: one of their scope, and one of themselves. */
function listPage<Kind extends ListedKind>(
  store: MemoryStore,
  kind: Kind,
  isIn: (scope: ScopeRef) => boolean,
  query: TimeListQuery,
  passes: (record: RecordOf<Kind>) => boolean,
): TimePage<RecordOf<Kind>> {
  const found: Listed<RecordOf<Kind>>[] = [];
  for (const listed of store.list(kind)) {
    if (found.length > query.limit) break;
    if (isAsked(listed, query) && isIn(scopeOf(listed.record)) && passes(listed.record)) found.push(listed);
  }
  const { items, next } = pageOf(found, query.limit, ({ position }) => position);
  return { items: items.map(({ record }) => record), next };
}

function isAsked({ position }: Listed, { after, from, to }: TimeListQuery): boolean {
  return position.time <= to && (from === null || position.time >= from) && (after === null || comparePositions(position, after) > 0);
}

/** The filters of a query for the list of a kind, as one test. */
function filterOf<Kind extends ListedKind>(kind: Kind, query: ListFilters<Kind>): (record: ListedRecord) => boolean {
  const values: Readonly<Record<string, FilterValue>> = query;
  const asked = Object.entries<string>(KINDS[kind].filters).flatMap(([name, path]) => {
    const accepted = acceptedValues(values[name]);
    return accepted === null ? [] : [accepted.map((value) => testOf(path, value))];
  });
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
