import { entryWords, nameOfRef, NO_REPOSITORY, scopeOfRecord, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import type { ReadCollection } from '../collections.js';
import { findDocuments } from '../reading/find-documents.js';

/** The repository names whose words count for records: in the spelling of the stored repository, or else that of the ref. */
export type RepositoryNames = ReadonlyMap<RepositoryRef, string>;

/** Reads the names of the stored repositories to which the records belong. */
export async function storedNames(repositories: ReadCollection, records: readonly SearchableRecord[]): Promise<RepositoryNames> {
  const refs = [...new Set(records.filter(({ kind }) => kind !== 'repository').map(scopeOfRecord))].filter((scope) => scope !== NO_REPOSITORY);
  if (refs.length === 0) return new Map();
  const found = await findDocuments(repositories, { _id: { $in: refs } }, { projection: { fullName: 1 } });
  const stored = new Map(found.documents.map(({ _id, fullName }): [unknown, unknown] => [_id, fullName]));
  return new Map(
    refs.map((ref) => {
      const name = stored.get(ref);
      return [ref, typeof name === 'string' ? name : nameOfRef(ref)];
    }),
  );
}

/** The repository name whose words count for a record besides its own fields; `null` if there is none. */
export function nameFor(record: SearchableRecord, names: RepositoryNames): string | null {
  const scope = scopeOfRecord(record);
  if (scope === NO_REPOSITORY || record.kind === 'repository') return null;
  return names.get(scope) ?? nameOfRef(scope);
}

/** Whether both names have the same words. */
export function isSameName(before: string, after: string): boolean {
  return before === after || entryWords(before).sort().join(' ') === entryWords(after).sort().join(' ');
}
