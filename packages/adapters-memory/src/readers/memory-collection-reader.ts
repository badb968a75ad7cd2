import {
  checkedDayOf,
  compareText,
  DAY,
  LISTED_KINDS,
  statedBy,
  type CheckedDay,
  type CollectionReader,
  type PlainRecord,
  type RecordOf,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './record-readers.js';

const KINDS_IN_ORDER = ['repository', 'service', ...LISTED_KINDS, 'sync'] as const;

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
    services: (context) => answerNow(context, () => store.all('service').sort((a, b) => compareText(a.key, b.key))),
    checkedDays: (context) => answerNow(context, () => checkedDaysOf(store)),
    checksOf: ({ serviceKey, day }, context) => answerNow(context, () => store.checks.service(serviceKey)?.checksBetween(day, day + DAY - 1) ?? []),
    async *records(context) {
      for (const kind of KINDS_IN_ORDER) yield* await answerNow(context, () => store.all(kind));
      yield* await answerNow(context, () => store.checks.records());
    },
    async *statements(context) {
      for (const kind of KINDS_IN_ORDER)
        yield* await answerNow(context, () => store.all(kind).flatMap((record) => statedBy({ record, statements: store.statementsOf(record) })));
      for (const record of await answerNow(context, () => store.checks.records())) yield { record, source: null };
    },
  };
}

function checkedDaysOf({ checks }: MemoryStore): ReadonlyMap<string, readonly CheckedDay[]> {
  const all = [...checks.services()].map((service) => {
    const days = service.days().filter(({ day }) => service.isOpen(day));
    return [service.serviceKey, days.flatMap((day) => checkedDayOf(day) ?? [])] as const;
  });
  return new Map(all.filter(([, days]) => days.length > 0));
}
