import {
  compareText,
  isFoundUntil,
  keyOfIdentity,
  kindOfType,
  matchFields,
  nameOfRef,
  pageOf,
  repositoryField,
  scopeOfRecord,
  searchFieldsOf,
  searchTimeOf,
  searchedRepositoryOf,
  searchTypeOf,
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
        const records = [...new Set(types)].flatMap((type): SearchableRecord[] => store.all(kindOfType(type)));
        const shown = records.filter((record) => scopes.has(scopeOfRecord(record)) && isFoundUntil(record, to));
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

function nameFieldOf(store: MemoryStore, record: SearchableRecord): readonly SearchField[] {
  const ref = searchedRepositoryOf(record);
  return ref === null ? [] : [repositoryField(store.find('repository', ref)?.fullName ?? nameOfRef(ref))];
}

function compareHits(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}
