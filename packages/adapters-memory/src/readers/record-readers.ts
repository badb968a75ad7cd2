import {
  type ActivityDay,
  type ActivityReader,
  type AskedFilter,
  comparePositions,
  compareText,
  firstOfEachSha,
  type Instant,
  type ListedKind,
  type ListedRecord,
  pageOf,
  type PageQuestion,
  type ReadContext,
  type RecordOf,
  type RecordTables,
  scopeOf,
  scopesRead,
  startOfDay,
  type Sync,
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

export function memoryRecordTables(store: MemoryStore): RecordTables {
  return {
    page: (question, context) => answerNow(context, () => listPage(store, question)),
    first: (kind, keys, _, context) =>
      answerNow(context, () => {
        for (const key of keys) {
          const found = store.find(kind, key);
          if (found !== null) return found;
        }
        return null;
      }),
    bySha: (approved, prefix, context) =>
      answerNow(context, () =>
        firstOfEachSha(store.all('commit').filter(({ sha, repositoryRef }) => sha.startsWith(prefix) && approved.admits(repositoryRef))),
      ),
    services: (context) => answerNow(context, () => store.all('service').sort((a, b) => compareText(a.key, b.key))),
    syncsOf: (scopes, context) => {
      const wanted = new Set(scopes);
      return answerNow(context, () => syncsWhere(store, ({ repositoryRef }) => wanted.has(repositoryRef)));
    },
    syncsFrom: (prefix, context) => answerNow(context, () => syncsWhere(store, ({ id }) => id.startsWith(prefix))),
  };
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

/** All filters as one test. */
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
