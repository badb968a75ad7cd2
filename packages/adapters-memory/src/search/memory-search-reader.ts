import {
  compareText,
  keyOfIdentity,
  LATEST_INSTANT,
  matchFields,
  nameOfRef,
  NO_REPOSITORY,
  pageOf,
  repositoryField,
  scopeOfRecord,
  searchFieldsOf,
  searchTimeOf,
  searchTypeOf,
  type Instant,
  type SearchableRecord,
  type SearchEntry,
  type SearchField,
  type SearchPosition,
  type SearchReader,
  type SearchWords,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from '../readers/answer-now.js';

/** Applies the core's rule to every record. */
export function memorySearchReader(store: MemoryStore): SearchReader {
  return {
    search: (approved, { words, types, limit, after, to }, context) =>
      answerNow(context, () => {
        const scopes = new Set(approved.scopes.filter((scope) => store.isSearched(scope)));
        const records = [...new Set(types)].flatMap((type): SearchableRecord[] => store.all(type === 'status-service' ? 'service' : type));
        // Repositories and services have no time: their search time is after all others.
        const isInTime = (time: Instant): boolean => time <= to || time > LATEST_INSTANT;
        const shown = records.filter((record) => scopes.has(scopeOfRecord(record)) && isInTime(searchTimeOf(record)));
        const hits = shown.flatMap((record) => hitOf(store, record, words) ?? []);
        const rest = hits.filter(({ position }) => after === null || compareHits(position, after) > 0);
        rest.sort((a, b) => compareHits(a.position, b.position));
        return pageOf(rest.slice(0, limit + 1), limit, ({ position }) => position);
      }),
  };
}

function hitOf(store: MemoryStore, record: SearchableRecord, words: SearchWords): SearchEntry | null {
  const fields = searchFieldsOf(record);
  const match = matchFields([...fields, ...nameFieldOf(store, record)], words);
  if (match === null) return null;
  // The ref of a repository may contain a forge id, which is not public.
  const id = record.kind === 'repository' ? nameOfRef(record.repositoryRef) : keyOfIdentity(record);
  const position = { tier: match.tier, time: searchTimeOf(record), type: searchTypeOf(record), id };
  return { position, repositoryRef: scopeOfRecord(record), fields, record };
}

/** The name of the record's repository. In a repository's own record, the name is a field of the record. */
function nameFieldOf(store: MemoryStore, record: SearchableRecord): readonly SearchField[] {
  const scope = scopeOfRecord(record);
  if (scope === NO_REPOSITORY || record.kind === 'repository') return [];
  return [repositoryField(store.find('repository', scope)?.fullName ?? nameOfRef(scope))];
}

function compareHits(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}
