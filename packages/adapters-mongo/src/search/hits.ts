import {
  matchFields,
  nameOfRef,
  NO_REPOSITORY,
  repositoryField,
  searchFieldsOf,
  type RepositoryRef,
  type SearchableRecord,
  type SearchEntry,
  type SearchField,
  type SearchWords,
} from '@vitrine/core';
import { placeOfRecord } from './entry-place.js';
import { hitKey, repositoryKey, type HitKey, type HitRecords } from './hit-records.js';
import type { Tier } from './segments/position.js';
import type { FoundEntry } from './segments/segment-walk.js';

/** An entry whose record still has the position that the entry says. */
interface Candidate {
  readonly found: FoundEntry;
  readonly record: SearchableRecord;
  readonly fields: readonly SearchField[];
  /** The tier according to the record's own fields; `null` if they do not contain every word. */
  readonly ownTier: Tier | null;
}

/** Chooses the entries that are hits. The core's own rule checks each record, so an entry never shows a record that does not match. */
export async function hitsAmong(entries: readonly FoundEntry[], records: HitRecords, words: SearchWords): Promise<readonly SearchEntry[]> {
  await records.read(keysOf(entries));
  const candidates = entries.flatMap((found) => candidateOf(found, records, words));
  await records.read(candidates.filter(({ ownTier }) => ownTier === null).flatMap(({ found }) => namingKeys(found)));
  return candidates.filter((candidate) => tierOf(candidate, records, words) === candidate.found.position.tier).map(hitOf);
}

/** Repository names are seldom needed, but reading them costs no extra query if repositories are read anyway. */
function keysOf(entries: readonly FoundEntry[]): readonly HitKey[] {
  const keys = entries.map(hitKey);
  return entries.some(({ type }) => type === 'repository') ? [...keys, ...entries.flatMap(namingKeys)] : keys;
}

function namingKeys(found: FoundEntry): readonly HitKey[] {
  const ref = namingRef(found);
  return ref === null ? [] : [repositoryKey(ref)];
}

/** The repository whose name also counts as words of the entry; `null` if there is none. */
function namingRef({ entry: { repositoryRef }, type }: FoundEntry): RepositoryRef | null {
  return repositoryRef === NO_REPOSITORY || type === 'repository' ? null : repositoryRef;
}

function candidateOf(found: FoundEntry, records: HitRecords, words: SearchWords): Candidate[] {
  const record = records.record(hitKey(found));
  if (record === null || !isPlaceOf(found, record)) return [];
  const fields = searchFieldsOf(record);
  return [{ found, record, fields, ownTier: matchFields(fields, words)?.tier ?? null }];
}

/** The name of the repository does not count as a title. If the record's own fields contain every word, the name does not change the tier. */
function tierOf({ found, fields, ownTier }: Candidate, records: HitRecords, words: SearchWords): Tier | null {
  const ref = namingRef(found);
  if (ownTier !== null || ref === null) return ownTier;
  return matchFields([...fields, repositoryField(records.repositoryName(ref) ?? nameOfRef(ref))], words)?.tier ?? null;
}

function hitOf({ found: { entry, position }, fields, record }: Candidate): SearchEntry {
  return { position, repositoryRef: entry.repositoryRef, fields, record };
}

/** If a record has moved, another entry has its new position. */
function isPlaceOf({ entry, position }: FoundEntry, record: SearchableRecord): boolean {
  const { time, id, repositoryRef } = placeOfRecord(record);
  return entry.time === time && position.id === id && entry.repositoryRef === repositoryRef;
}
