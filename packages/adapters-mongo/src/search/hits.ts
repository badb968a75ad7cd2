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
import { placeOfRecord, type EntryPlace, type Tier, type TieredEntry } from './entry-place.js';
import { repositoryKey, type HitRecords } from './hit-records.js';

/** An entry whose record still has the position that the entry says. */
interface Candidate extends TieredEntry {
  readonly record: SearchableRecord;
  readonly fields: readonly SearchField[];
  /** The tier according to the record's own fields; `null` if they do not contain every word. */
  readonly ownTier: Tier | null;
}

/** Chooses the entries that are hits. The core's own rule checks each record, so an entry never shows a record that does not match. */
export async function hitsAmong(entries: readonly TieredEntry[], records: HitRecords, words: SearchWords): Promise<readonly SearchEntry[]> {
  await records.read(keysOf(entries));
  const candidates = entries.flatMap((entry) => candidateOf(entry, records, words));
  await records.read(candidates.filter(({ ownTier }) => ownTier === null).flatMap(({ entry }) => namingKeys(entry)));
  return candidates.filter((candidate) => tierOf(candidate, records, words) === candidate.tier).map(hitOf);
}

/** Repository names are seldom needed, but reading them costs no extra query if repositories are read anyway. */
function keysOf(entries: readonly TieredEntry[]) {
  const places = entries.map(({ entry }) => entry);
  return places.some(({ type }) => type === 'repository') ? [...places, ...places.flatMap(namingKeys)] : places;
}

function namingKeys(entry: EntryPlace) {
  const ref = namingRef(entry);
  return ref === null ? [] : [repositoryKey(ref)];
}

/** The repository whose name also counts as words of the entry; `null` if there is none. */
function namingRef({ repositoryRef, type }: EntryPlace): RepositoryRef | null {
  return repositoryRef === NO_REPOSITORY || type === 'repository' ? null : repositoryRef;
}

function candidateOf({ entry, tier }: TieredEntry, records: HitRecords, words: SearchWords): Candidate[] {
  const record = records.record(entry);
  if (record === null || !isSamePlace(entry, placeOfRecord(record))) return [];
  const fields = searchFieldsOf(record);
  return [{ entry, tier, record, fields, ownTier: matchFields(fields, words)?.tier ?? null }];
}

/** The name of the repository does not count as a title. If the record's own fields contain every word, the name does not change the tier. */
function tierOf({ entry, fields, ownTier }: Candidate, records: HitRecords, words: SearchWords): Tier | null {
  const ref = namingRef(entry);
  if (ownTier !== null || ref === null) return ownTier;
  return matchFields([...fields, repositoryField(records.repositoryName(ref) ?? nameOfRef(ref))], words)?.tier ?? null;
}

function hitOf({ entry: { repositoryRef, time, type, id }, tier, fields, record }: Candidate): SearchEntry {
  return { position: { tier, time, type, id }, repositoryRef, fields, record };
}

/** If a record has moved, another entry has its new position. */
function isSamePlace(a: EntryPlace, b: EntryPlace): boolean {
  return a.time === b.time && a.id === b.id && a.repositoryRef === b.repositoryRef;
}
