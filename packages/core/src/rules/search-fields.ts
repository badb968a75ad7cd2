import { textsAt } from '../kinds/fields.js';
import { type PlainRecord, keyOfIdentity, scopeOf, timeOf } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import { byKind, type ListedRecord } from '../kinds/kinds.js';
import { compareText, remembered } from '../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, nameOfRef } from '../kinds/repository-name.js';
import { REPOSITORY_SEARCH_TIME, SEARCHED_KINDS, SERVICE_SEARCH_TIME } from '../kinds/search.js';
import type { SearchField, SearchPosition, SearchType, SearchableRecord } from '../kinds/search.js';
import { type SearchWords, entryWords, isShaAbbreviation, mayHoldWord } from './search-words.js';

const SEARCHED: ReadonlySet<string> = new Set(SEARCHED_KINDS);

/** Whether search returns records of this kind. */
export function isSearchable(record: PlainRecord): record is SearchableRecord {
  return SEARCHED.has(record.kind);
}

/** The search type of a record. */
export function searchTypeOf(record: SearchableRecord): SearchType {
  return record.kind === 'service' ? 'status-service' : record.kind;
}

const REPOSITORY_NAME = 'repository.fullName';
const SEARCHED_FIELDS = byKind(({ searched }) =>
  Object.entries(searched)
    .filter(([path]) => path !== REPOSITORY_NAME)
    .map(([path, as]) => ({ path, names: path.split('.'), isTitle: as === 'title' })),
);
const IS_FOUND_BY_REPOSITORY = byKind(({ searched }) => Object.hasOwn(searched, REPOSITORY_NAME));

/**
 * The searched fields of a record. They have the names of the API's fields.
 *
 * @param repositoryName the name of the record's repository, which is a field of most kinds; `null` if it does not count, or is not known
 */
export function searchFieldsOf(record: SearchableRecord, repositoryName: string | null): readonly SearchField[] {
  const own = SEARCHED_FIELDS[record.kind].map(({ path, names, isTitle }) => ({ path, texts: textsAt(record, names), isTitle }));
  if (repositoryName === null || !IS_FOUND_BY_REPOSITORY[record.kind]) return own;
  return [...own, { path: REPOSITORY_NAME, texts: [repositoryName], isTitle: false }];
}

/** The repository whose name is a searched field of a record; `null` if there is none. */
export function searchedRepositoryOf(record: SearchableRecord): RepositoryRef | null {
  const scope = scopeOf(record);
  return scope !== NO_REPOSITORY && IS_FOUND_BY_REPOSITORY[record.kind] ? scope : null;
}

/** The time by which search sorts a record: the time of its list, or one of two fixed times after all others. */
export function searchTimeOf(record: SearchableRecord | ListedRecord): Instant {
  if (record.kind === 'service') return SERVICE_SEARCH_TIME;
  return record.kind === 'repository' ? REPOSITORY_SEARCH_TIME : timeOf(record);
}

/** Whether a search finds a record now. Repositories and services have no time, and maintenance is announced ahead. @param to see `SearchQuery` */
export function isFoundUntil(record: SearchableRecord | ListedRecord, to: Instant): boolean {
  if (record.kind === 'repository' || record.kind === 'service') return true;
  return timeOf(record) <= to || (record.kind === 'incident' && record.incidentKind === 'maintenance');
}

/** Fields that have the same text in many records. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(['authorName', 'authorLogin', REPOSITORY_NAME, 'source', 'tags', 'labels', 'channelName']);
const MAX_SHARED = 256;

/** Returns the words under which records are found. Caches the words of texts that many records share. */
export class RecordWords {
  readonly #shared = remembered(10_000, entryWords);

  /** Visits the words of a record, some more than once; not the sha of a commit, because nearly each would be a new word. See {@link searchFieldsOf}. */
  visit(record: SearchableRecord, repositoryName: string | null, visit: (word: string, inTitle: boolean) => void): void {
    for (const { path, texts, isTitle } of searchFieldsOf(record, repositoryName)) {
      if (path === 'sha') continue;
      const isShared = SHARED_FIELDS.has(path);
      for (const text of texts)
        for (const word of isShared && text.length <= MAX_SHARED ? this.#shared(text) : entryWords(text)) visit(word, isTitle);
    }
  }
}

/** How a record matches a query. */
export interface FieldMatch {
  /** 0 if the title fields contain every word, otherwise 1. */
  readonly tier: 0 | 1;
  /** The fields in which at least one word matches, in the given order; never empty. */
  readonly matchedFields: readonly string[];
}

/** Applies the rule of search to one record. @param repositoryName as in {@link searchFieldsOf} */
export function matchRecord(record: SearchableRecord, repositoryName: string | null, words: SearchWords): FieldMatch | null {
  return matchFields(searchFieldsOf(record, repositoryName), words);
}

/** The position of a record among the hits of a tier. */
export function searchPositionOf(record: SearchableRecord): Omit<SearchPosition, 'tier'> {
  // The ref of a repository may contain the id of its forge, which is not public.
  const id = record.kind === 'repository' ? nameOfRef(record.repositoryRef) : keyOfIdentity(record);
  return { time: searchTimeOf(record), type: searchTypeOf(record), id };
}

export function compareHits(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}

/** Applies the rule to the fields of a record; `null` if a word matches in no field. */
export function matchFields(fields: readonly SearchField[], words: SearchWords): FieldMatch | null {
  const tests = [...words.whole.map(wholeWord), ...(words.prefix === null ? [] : [prefixWord(words.prefix)])];
  const hits = fields.map((field) => ({ field, matching: matchingTests(field, tests) })).filter(({ matching }) => matching.length > 0);
  if (tests.length === 0 || !areAllMet(tests, hits)) return null;
  const titleHits = hits.filter(({ field }) => field.isTitle);
  return { tier: areAllMet(tests, titleHits) ? 0 : 1, matchedFields: hits.map(({ field }) => field.path) };
}

function areAllMet(tests: readonly WordTest[], hits: readonly { readonly matching: readonly number[] }[]): boolean {
  return new Set(hits.flatMap(({ matching }) => matching)).size === tests.length;
}

function matchingTests({ texts, path }: SearchField, tests: readonly WordTest[]): number[] {
  const starts = tests.map(({ start }) => start);
  const words = texts.filter((text) => mayHoldWord(text, starts)).flatMap((text) => entryWords(text));
  return [...tests.keys()].filter((index) => words.some((word) => tests[index]?.passes(word, path)));
}

/** Every word that passes begins with `start`. */
function wholeWord(word: string) {
  const startsSha = isShaAbbreviation(word);
  return {
    start: word,
    passes: (entryWord: string, path: string) => entryWord === word || (startsSha && path === 'sha' && entryWord.startsWith(word)),
  };
}

type WordTest = ReturnType<typeof wholeWord>;

function prefixWord(word: string): WordTest {
  return { start: word, passes: (entryWord) => entryWord.startsWith(word) };
}
